import type { GlobalServices } from '../globals/define.ts'
import { scriptGlobals } from '../globals/index.ts'
import { createCodec } from './codec.ts'
import { PLACES } from '../slots.ts'
import { guardBuiltIns } from './guard-built-ins.ts'
import { hardenRealm } from './harden.ts'
import { createInspect } from './inspect.ts'
import { createKernel, MARKS, OPS } from './kernel.ts'

/** Keys whose members cross one by one, in the order they have when a context is built. */
const SPLIT = ['request', 'response', 'envs']

const LIMITS = { logEntries: 1000, logChars: 1_000_000, calls: 1000 }
const INSPECT = { maxChars: 20_000, maxDepth: 12 }

type Make = (services: GlobalServices) => unknown

const installation = (name: string, kind: 'shared' | 'perStage', make: Make) =>
  `kernel.install('${name}', '${kind}', (services) => (${make.toString()})({ ...services, ...more }));`

/** Puts the names of shared globals and the makers of the others where the kernel wants them. */
const installs = scriptGlobals.map(({ name, realm }) =>
  'shared' in realm
    ? installation(name, 'shared', realm.shared)
    : installation(name, 'perStage', realm.perStage),
)

/** Text of a function of (report, reportLater, random, marks memory, store) that gives the kernel. */
export const realmSource = `'use strict';
(function (report, reportLater, random, memory, readStored) {
  const { libraries = {}, entropy = {} } = globalThis.sluiceLibraries ?? {};
  const isFresh = globalThis.sluiceLibraries === undefined;
  delete globalThis.sluiceLibraries;
  const more = { libraries, entropy, readStored };
  const codec = (${createCodec.toString()})(${JSON.stringify(SPLIT)});
  const inspect = (${createInspect.toString()})(${JSON.stringify(INSPECT)});
  const kernel = (${createKernel.toString()})({
    ops: ${JSON.stringify(OPS)},
    marksAt: ${JSON.stringify(MARKS)},
    host: { report, reportLater, random, marks: new Int32Array(memory) },
    codec,
    inspect,
    limits: ${JSON.stringify(LIMITS)},
    places: ${PLACES},
  });
  delete globalThis.console;
  ${installs.join('\n  ')}
  if (isFresh) (${guardBuiltIns.toString()})();
  (${hardenRealm.toString()})();
  return kernel;
})`

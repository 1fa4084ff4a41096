import { scriptGlobals } from '../globals/index.ts'
import { createCodec } from './codec.ts'
import { guardBuiltIns } from './guard-built-ins.ts'
import { hardenRealm } from './harden.ts'
import { createInspect } from './inspect.ts'
import { createKernel, MARKS, OPS } from './kernel.ts'

/** File name of our own code in stack traces; frames of it are never shown. */
export const REALM_FILE = 'sluice:realm'

/** Keys whose members cross one by one, in the order they have when a context is built. */
const SPLIT = ['request', 'response', 'envs']

const LIMITS = { logEntries: 1000, logChars: 1_000_000, calls: 1000 }
const INSPECT = { maxChars: 20_000, maxDepth: 12 }

/** Puts the names of shared globals and the makers of the others where the kernel wants them. */
const installs = scriptGlobals.map(({ name, realm }) =>
  'shared' in realm
    ? `kernel.install(${JSON.stringify(name)}, 'shared', ${realm.shared.toString()});`
    : `kernel.install(${JSON.stringify(name)}, 'perStage', ${realm.perStage.toString()});`,
)

/** Text of a function of (report, reportLater, random, marks memory) that gives the kernel. */
export const realmSource = `'use strict';
(function (report, reportLater, random, memory) {
  const codec = (${createCodec.toString()})(${JSON.stringify(SPLIT)});
  const inspect = (${createInspect.toString()})(${JSON.stringify(INSPECT)});
  const kernel = (${createKernel.toString()})({
    ops: ${JSON.stringify(OPS)},
    marksAt: ${JSON.stringify(MARKS)},
    host: { report, reportLater, random, marks: new Int32Array(memory) },
    codec,
    inspect,
    limits: ${JSON.stringify(LIMITS)},
  });
  delete globalThis.console;
  ${installs.join('\n  ')}
  (${guardBuiltIns.toString()})();
  (${hardenRealm.toString()})();
  return kernel;
})`

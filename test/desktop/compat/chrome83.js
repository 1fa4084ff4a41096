// TEST ONLY. What Chromium 83 lacks at run time; comes before the page's code and every worker's.
// oxlint-disable-next-line import/no-unassigned-import -- it mends the world it is loaded into
import 'core-js/stable'

const world = globalThis
// core-js cannot make weak references; strong ones are good enough for a short test.
world.WeakRef ||= class {
  constructor(target) {
    this.target = target
  }
  deref() {
    return this.target
  }
}
world.FinalizationRegistry ||= class {
  register() {}
  unregister() {}
}
if (world.crypto && !world.crypto.randomUUID)
  world.crypto.randomUUID = () =>
    '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
      (
        Number(digit) ^
        (world.crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (Number(digit) / 4)))
      ).toString(16),
    )
if (world.AbortSignal && !world.AbortSignal.timeout)
  world.AbortSignal.timeout = (ms) => {
    const abort = new AbortController()
    setTimeout(() => abort.abort(), ms)
    return abort.signal
  }
if (world.AbortSignal && !world.AbortSignal.any)
  world.AbortSignal.any = (signals) => {
    const abort = new AbortController()
    for (const signal of signals)
      if (signal.aborted) abort.abort()
      else signal.addEventListener('abort', () => abort.abort(), { once: true })
    return abort.signal
  }
if (world.AbortSignal && !world.AbortSignal.prototype.throwIfAborted)
  world.AbortSignal.prototype.throwIfAborted = function () {
    if (this.aborted) throw this.reason || new DOMException('aborted', 'AbortError')
  }
if (world.Element)
  for (const Parent of [Element, Document, DocumentFragment])
    Parent.prototype.replaceChildren ||= function (...nodes) {
      while (this.lastChild) this.removeChild(this.lastChild)
      this.append(...nodes)
    }
if (world.Element) Element.prototype.checkVisibility ||= () => true
try {
  RegExp('', 'd')
} catch {
  // The editor asks for indices of matches, and reads none.
  const Native = RegExp
  const without = ([source, flags]) => [
    source,
    typeof flags === 'string' ? flags.replace(/[dv]/g, (flag) => (flag === 'v' ? 'u' : '')) : flags,
  ]
  world.RegExp = new Proxy(Native, {
    construct: (target, args, self) => Reflect.construct(target, without(args), self),
    apply: (target, self, args) => Reflect.apply(target, self, without(args)),
  })
  Native.prototype.constructor = world.RegExp
}

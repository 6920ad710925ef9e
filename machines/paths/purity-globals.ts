import { isLocalTime, trapLocal, type OnAccess, type Replace } from './purity-local.ts';

/** Globals that reach outside the machine: a replay does not have what they read. */
const forbiddenGlobals = [
  'console',
  'crypto',
  'performance',
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'EventSource',
  'setTimeout',
  'setInterval',
  'setImmediate',
  // Work that is put off runs outside its step, where no trace sees it.
  'queueMicrotask',
  'requestAnimationFrame',
  'requestIdleCallback',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'navigator',
  'location',
  'history',
  'document',
  'window',
] as const;

/** `Date` that still reads a given time, but neither the clock nor a time of which only who is here knows when it is. */
const dateWithoutClock = (touch: OnAccess): DateConstructor => {
  const { parse: parsed } = Date;
  const parse = (text: string): number => {
    if (isLocalTime(text)) touch('Date.parse of a local time');
    return parsed(text);
  };
  return new Proxy(Date, {
    construct: (target, args: unknown[], self) => {
      if (args.length === 0) touch('new Date()');
      if (args.length > 1 || isLocalTime(args[0])) touch('new Date() of a local time');
      return Reflect.construct(target, args, self) as object;
    },
    apply: (target) => {
      touch('Date()');
      return target();
    },
    get: (target, key, self): unknown => {
      if (key === 'now') touch('Date.now');
      if (key === 'parse') return parse;
      return Reflect.get(target, key, self);
    },
  });
};

/**
 * Runs with the clock, chance, network, timers, storage, browser globals, the time zone and the language trapped, and restores
 * everything whatever happens. Only what happens within `run` itself is seen, not what a promise does later; nor is a
 * `Date.now` that was kept under another name when a module was loaded: explorations in another world differ by it.
 */
export const withForbiddenGlobals = <T>(touch: OnAccess, run: () => T): T => {
  const undo: (() => void)[] = [];
  const replace: Replace = (owner, key, descriptor) => {
    const before = Object.getOwnPropertyDescriptor(owner, key);
    Object.defineProperty(owner, key, { ...descriptor(before), configurable: true });
    undo.push(() => {
      if (before) Object.defineProperty(owner, key, before);
      else Reflect.deleteProperty(owner, key);
    });
  };
  const guarded = (name: string) => (before?: PropertyDescriptor) => ({
    get: (): unknown => {
      touch(name);
      return before?.get ? before.get.call(globalThis) : before?.value;
    },
  });
  try {
    trapLocal(touch, replace);
    // Where a file kept `Date` under another name, this is what it kept.
    const { now } = Date;
    replace(Date, 'now', (before) => ({
      ...before,
      value: () => {
        touch('Date.now');
        return now();
      },
    }));
    replace(globalThis, 'Date', (before) => ({ ...before, value: dateWithoutClock(touch) }));
    replace(Math, 'random', guarded('Math.random'));
    for (const name of forbiddenGlobals) replace(globalThis, name, guarded(name));
    return run();
  } finally {
    for (const back of undo.reverse()) back();
  }
};

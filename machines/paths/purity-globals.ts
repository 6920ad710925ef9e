import { isLocalTime, trapLocal, type OnAccess, type Replace } from './purity-local.ts';

/** Globals that reach outside the machine: a replay cannot reproduce what they return. */
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
  // Deferred work runs outside its step, where no trace records it.
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

/** `Date` that traps reading the clock and parsing times without a time zone. */
const createClocklessDate = (touch: OnAccess): DateConstructor => {
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
 * Runs `run` with traps on the clock, random numbers, network, timers, storage, browser globals,
 * time zone and language, and always restores them. Only accesses within `run` itself are detected,
 * not those of a promise later, nor of a `Date.now` saved under another name when a module loaded:
 * explorations in another environment detect that by a different result.
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
    // If a module saved `Date` under another name, it saved this object.
    const { now } = Date;
    replace(Date, 'now', (before) => ({
      ...before,
      value: () => {
        touch('Date.now');
        return now();
      },
    }));
    replace(globalThis, 'Date', (before) => ({ ...before, value: createClocklessDate(touch) }));
    replace(Math, 'random', guarded('Math.random'));
    for (const name of forbiddenGlobals) replace(globalThis, name, guarded(name));
    return run();
  } finally {
    for (const back of undo.reverse()) back();
  }
};

import { isLocalTime, trapLocal, type OnAccess, type Replace } from './purity-local.ts';

/**
 * Globals that reach outside the machine: a replay cannot reproduce the values that they return.
 */
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

/** A `Date` that traps reading the clock and parsing times without a time zone. */
const createClocklessDate = (onAccess: OnAccess): DateConstructor => {
  const { parse: originalParse } = Date;
  const parse = (text: string): number => {
    if (isLocalTime(text)) onAccess('Date.parse of a local time');
    return originalParse(text);
  };
  return new Proxy(Date, {
    construct: (target, args: unknown[], self) => {
      if (args.length === 0) onAccess('new Date()');
      if (args.length > 1 || isLocalTime(args[0])) onAccess('new Date() of a local time');
      return Reflect.construct(target, args, self) as object;
    },
    apply: (target) => {
      onAccess('Date()');
      return target();
    },
    get: (target, key, self): unknown => {
      if (key === 'now') onAccess('Date.now');
      if (key === 'parse') return parse;
      return Reflect.get(target, key, self);
    },
  });
};

/**
 * Calls `run` with traps on the clock, random numbers, network, timers, storage, browser globals,
 * time zone and language, and always restores them. Only accesses during the call are detected: not
 * those of a promise that settles later, nor those of a `Date.now` that a module saved when it
 * loaded. Explorations in another environment detect these by a different result.
 */
export const withForbiddenGlobals = <T>(onAccess: OnAccess, run: () => T): T => {
  const restorers: (() => void)[] = [];
  const replace: Replace = (owner, key, descriptor) => {
    const originalDescriptor = Object.getOwnPropertyDescriptor(owner, key);
    Object.defineProperty(owner, key, { ...descriptor(originalDescriptor), configurable: true });
    restorers.push(() => {
      if (originalDescriptor) Object.defineProperty(owner, key, originalDescriptor);
      else Reflect.deleteProperty(owner, key);
    });
  };
  const createTrap = (name: string) => (originalDescriptor?: PropertyDescriptor) => ({
    get: (): unknown => {
      onAccess(name);
      return originalDescriptor?.get ? originalDescriptor.get.call(globalThis) : originalDescriptor?.value;
    },
  });
  try {
    trapLocal(onAccess, replace);
    // If a module saved `Date` under another name, it saved this object.
    const { now } = Date;
    replace(Date, 'now', (originalDescriptor) => ({
      ...originalDescriptor,
      value: () => {
        onAccess('Date.now');
        return now();
      },
    }));
    replace(globalThis, 'Date', (originalDescriptor) => ({ ...originalDescriptor, value: createClocklessDate(onAccess) }));
    replace(Math, 'random', createTrap('Math.random'));
    for (const name of forbiddenGlobals) replace(globalThis, name, createTrap(name));
    return run();
  } finally {
    for (const restore of restorers.reverse()) restore();
  }
};

/** Called with the name of each global before it is read; throwing prevents the read. */
export type OnAccess = (name: string) => void;

/** Replaces a property until all replaced properties are restored. */
export type Replace = (
  owner: object,
  key: string,
  createDescriptor: (originalDescriptor?: PropertyDescriptor) => PropertyDescriptor,
) => void;

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** `Date` methods that depend on the local time zone. */
const localTimeMethods = [
  ...['Date', 'Day', 'FullYear', 'Hours', 'Milliseconds', 'Minutes', 'Month', 'Seconds'].map((part) => `get${part}`),
  ...['Date', 'FullYear', 'Hours', 'Milliseconds', 'Minutes', 'Month', 'Seconds'].map((part) => `set${part}`),
  'getTimezoneOffset',
  'toDateString',
  'toTimeString',
  'toString',
];

/**
 * Methods that take a locale, with the index of that argument; those with `zone` also require a
 * time zone.
 */
const localeMethods: readonly { owner: object; key: string; at: number; zone?: true }[] = [
  { owner: String.prototype, key: 'localeCompare', at: 1 },
  { owner: String.prototype, key: 'toLocaleLowerCase', at: 0 },
  { owner: String.prototype, key: 'toLocaleUpperCase', at: 0 },
  { owner: Number.prototype, key: 'toLocaleString', at: 0 },
  { owner: Array.prototype, key: 'toLocaleString', at: 0 },
  { owner: Date.prototype, key: 'toLocaleString', at: 0, zone: true },
  { owner: Date.prototype, key: 'toLocaleDateString', at: 0, zone: true },
  { owner: Date.prototype, key: 'toLocaleTimeString', at: 0, zone: true },
];

const hasZone = (options: unknown): boolean => typeof options === 'object' && options !== null && 'timeZone' in options;

const hasArgument = (args: readonly unknown[], index: number, zone: boolean): boolean =>
  args[index] !== undefined && (!zone || hasZone(args[index + 1]));

/** Whether a text is a time without a time zone, which is parsed in the local time zone. */
export const isLocalTime = (text: unknown): boolean =>
  typeof text === 'string' && !/^\d{4}(-\d\d){0,2}$|(Z|[+-]\d\d:?\d\d)$/.test(text);

/** An `Intl` that traps constructors without a locale, and for dates without a time zone. */
const trapIntl = (onAccess: OnAccess): object => {
  const trapConstructor = (constructor: object, name: string): object =>
    new Proxy(constructor, {
      construct: (target, args: unknown[], self) => {
        if (!hasArgument(args, 0, name === 'DateTimeFormat')) onAccess(`Intl.${name}`);
        return Reflect.construct(target as new () => object, args, self) as object;
      },
      apply: (target, self, args: unknown[]) => {
        if (!hasArgument(args, 0, name === 'DateTimeFormat')) onAccess(`Intl.${name}`);
        return Reflect.apply(target as Method, self, args);
      },
    });
  return new Proxy(Intl, {
    get: (target, key, self): unknown => {
      const value: unknown = Reflect.get(target, key, self);
      return typeof value === 'function' ? trapConstructor(value, String(key)) : value;
    },
  });
};

/** Traps everything that depends on the time zone or the language of the host. */
export const trapLocal = (onAccess: OnAccess, replace: Replace): void => {
  const trap = (owner: object, key: string, isAllowed: (args: readonly unknown[]) => boolean): void => {
    replace(owner, key, (originalDescriptor) => {
      const method = originalDescriptor?.value as Method;
      const trappedMethod: Method = function (this: unknown, ...args) {
        if (!isAllowed(args)) onAccess(key);
        return method.apply(this, args);
      };
      return { ...originalDescriptor, value: trappedMethod };
    });
  };
  for (const key of localTimeMethods) trap(Date.prototype, key, () => false);
  for (const { owner, key, at, zone = false } of localeMethods) trap(owner, key, (args) => hasArgument(args, at, zone));
  replace(globalThis, 'Intl', (originalDescriptor) => ({ ...originalDescriptor, value: trapIntl(onAccess) }));
};

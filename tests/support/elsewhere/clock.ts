// Imported before all other modules: shifts the clock by decades, and replaces Math.random.
const clockAheadMs = 13_000 * 24 * 60 * 60 * 1000 + 12_345_678;
const { now } = Date;

Date.now = () => now() + clockAheadMs;
Math.random = () => 0.123;
globalThis.Date = new Proxy(Date, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [Date.now()] : args, newTarget) as object,
  apply: () => new Date().toString(),
});

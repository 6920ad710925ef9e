import { decoded } from './decoded.ts';

/** Packers escape a name once or twice, or change its capitals, its slashes and its accents. */
const looseName = (name: string): string => decoded(decoded(name)).replaceAll('\\', '/').normalize('NFC').toLowerCase();

/** Finds a value by its name, else by another spelling of it. */
export const findByName = <Value>(named: readonly (readonly [string, Value])[]): ((name: string) => Value | undefined) => {
  const exact = new Map(named);
  const loose = new Map(named.map(([name, value]) => [looseName(name), value]));
  return (name) => exact.get(name) ?? loose.get(looseName(name));
};

/**
 * The parts of an app environment, and state shared by its ports: one instance per environment,
 * never per module.
 */
export type Scoped<Parts> = Parts & {
  /**
   * Returns this environment's instance, which `make` creates on first use; the same for all
   * callers.
   */
  scoped: <Thing>(make: (environment: Scoped<Parts>) => Thing) => Thing;
};

/** Creates an environment from its parts, with no instances yet. */
export const createScope = <Parts extends object>(parts: Parts): Scoped<Parts> => {
  const made = new Map<unknown, unknown>();
  const environment: Scoped<Parts> = {
    ...parts,
    scoped: <Thing>(make: (environment: Scoped<Parts>) => Thing): Thing => {
      if (!made.has(make)) made.set(make, make(environment));
      return made.get(make) as Thing;
    },
  };
  return environment;
};

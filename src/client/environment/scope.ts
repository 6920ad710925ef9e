/**
 * The parts of an app environment, and state shared by its ports: one instance per environment,
 * never per module.
 */
export type Scoped<Parts> = Parts & {
  /**
   * Returns this environment's instance, which `create` makes on first use; the same for all
   * callers.
   */
  scoped: <Instance>(create: (environment: Scoped<Parts>) => Instance) => Instance;
};

/** Creates an environment from its parts, with no instances yet. */
export const createScope = <Parts extends object>(parts: Parts): Scoped<Parts> => {
  const instances = new Map<unknown, unknown>();
  const environment: Scoped<Parts> = {
    ...parts,
    scoped: <Instance>(create: (environment: Scoped<Parts>) => Instance): Instance => {
      if (!instances.has(create)) instances.set(create, create(environment));
      return instances.get(create) as Instance;
    },
  };
  return environment;
};

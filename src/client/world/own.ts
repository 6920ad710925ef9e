/**
 * The parts of an app environment, and state shared by its ports: one instance per environment,
 * never per module.
 */
export type Own<Parts> = Parts & {
  /**
   * Returns this environment's instance, which `make` creates on first use; the same for all
   * callers.
   */
  own: <Thing>(make: (world: Own<Parts>) => Thing) => Thing;
};

/** Creates an environment from its parts, with no instances yet. */
export const owning = <Parts extends object>(parts: Parts): Own<Parts> => {
  const made = new Map<unknown, unknown>();
  const world: Own<Parts> = {
    ...parts,
    own: <Thing>(make: (world: Own<Parts>) => Thing): Thing => {
      if (!made.has(make)) made.set(make, make(world));
      return made.get(make) as Thing;
    },
  };
  return world;
};

/** Parts of a world, and what ports of it share: one of each for the world, never one for a module. */
export type Own<Parts> = Parts & {
  /** What `make` gives for this world; made when it is first asked for, and the same for whoever asks. */
  own: <Thing>(make: (world: Own<Parts>) => Thing) => Thing;
};

/** A world that has these parts, and as yet nothing of its own. */
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

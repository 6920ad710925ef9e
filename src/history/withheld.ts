/** Whole addresses of a world, by what machines know of them. */
export const withheld = () => {
  const addresses = new Map<string, string>();
  return {
    /** From now on the address without its secrets leads to the whole one. */
    withhold: (known: string, whole: string): void => void addresses.set(known, whole),
    wholeOf: (known: string): string => addresses.get(known) ?? known,
  };
};

export type Withheld = ReturnType<typeof withheld>;

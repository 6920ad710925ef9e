import { hidden } from '../../machines/model/account/after-sign-in.ts';
import { withoutMarks } from '../../machines/flows/routes.ts';

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** An address as it reads; that of a way back is encoded twice. */
const plain = (address: string): string => decoded(decoded(address));

/** Whole addresses of a world, by the addresses without secrets that machines know. */
export const withheld = () => {
  const addresses = new Map<string, string>();
  return {
    /** From now on the address without its secrets leads to the whole one, if that has them. */
    withhold: (known: string, whole: string): void => {
      if (plain(known).includes(hidden) && plain(known) !== plain(whole)) addresses.set(known, whole);
    },
    /** The whole address; one without its secrets where these are not known. */
    wholeOf: (known: string): string => addresses.get(known) ?? (known.includes(hidden) ? withoutMarks(known) : known),
  };
};

export type Withheld = ReturnType<typeof withheld>;

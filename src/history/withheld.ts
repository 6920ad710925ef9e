import { hidden } from '../../machines/model/account/after-sign-in.ts';
import { withoutMarks } from '../../machines/flows/routes.ts';

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** An address without escapes; a return address is encoded twice. */
const plain = (address: string): string => decoded(decoded(address));

/**
 * The whole addresses of an app environment, by the addresses without secrets that machines know.
 */
export const withheld = () => {
  const addresses = new Map<string, string>();
  return {
    /** Maps the address without its secrets to the whole one, if that has any. */
    withhold: (known: string, whole: string): void => {
      if (plain(known).includes(hidden) && plain(known) !== plain(whole)) addresses.set(known, whole);
    },
    /** The whole address; the address itself if no secrets are known for it. */
    wholeOf: (known: string): string => addresses.get(known) ?? (known.includes(hidden) ? withoutMarks(known) : known),
  };
};

export type Withheld = ReturnType<typeof withheld>;

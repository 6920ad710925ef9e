import { HIDDEN_SECRET } from '../../machines/model/account/after-sign-in.ts';
import { stripSecretMarks } from '../../machines/flows/routes.ts';

const decodeSafely = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** An address without escapes; a return address is encoded twice. */
const decodeTwice = (address: string): string => decodeSafely(decodeSafely(address));

/**
 * The whole addresses of an app environment, by the addresses without secrets that machines know.
 */
export const createSecretAddresses = () => {
  const addresses = new Map<string, string>();
  return {
    /** Maps the address without its secrets to the whole one, if that has any. */
    registerSecret: (known: string, whole: string): void => {
      if (decodeTwice(known).includes(HIDDEN_SECRET) && decodeTwice(known) !== decodeTwice(whole)) addresses.set(known, whole);
    },
    /** The whole address; the address itself if no secrets are known for it. */
    getFullAddress: (known: string): string =>
      addresses.get(known) ?? (known.includes(HIDDEN_SECRET) ? stripSecretMarks(known) : known),
  };
};

export type SecretAddresses = ReturnType<typeof createSecretAddresses>;

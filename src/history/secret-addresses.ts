import { HIDDEN_SECRET } from '../../machines/model/account/after-sign-in.ts';
import { stripSecretMarks } from '../../machines/flows/routes.ts';

const decodeSafely = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A percent-decoded address; a return address is encoded twice. */
const decodeTwice = (address: string): string => decodeSafely(decodeSafely(address));

/**
 * The full addresses of an app environment, by their masked forms without secrets, which are all
 * that machines get.
 */
export const createSecretAddresses = () => {
  const addresses = new Map<string, string>();
  return {
    /** Maps a masked address to the full one, if it has secrets. */
    registerSecret: (masked: string, full: string): void => {
      if (decodeTwice(masked).includes(HIDDEN_SECRET) && decodeTwice(masked) !== decodeTwice(full)) addresses.set(masked, full);
    },
    /** The full address; the address itself, without its marks, if no secrets are known for it. */
    getFullAddress: (address: string): string =>
      addresses.get(address) ?? (address.includes(HIDDEN_SECRET) ? stripSecretMarks(address) : address),
  };
};

export type SecretAddresses = ReturnType<typeof createSecretAddresses>;

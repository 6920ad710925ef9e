import { hidden } from '../../machines/model/route.ts';
import { secretInAddress } from './secret-in-address.ts';

/** Whole addresses by what machines know of them. */
const withheld = new Map<string, string>();

/** From now on the address without its secrets leads to the whole one. */
export const withhold = (known: string, whole: string): void => void withheld.set(known, whole);

const withCode = new RegExp(`([?&]code=)(?:${hidden}|${encodeURIComponent(hidden)})`, 'i');

/** A code that is redeemed, or taken along to a payment; a provider's code in the way back from it is none. */
const codeHere = ({ pathname, search }: { pathname: string; search: string } = location): string | null => {
  if (/^\/redeem\/./i.test(pathname)) return secretInAddress({ pathname });
  return /^\/(subscription|title\/purchase)\b/.test(pathname) ? new URLSearchParams(search).get('code') : null;
};

/** The address that is meant: a code goes along that stands in the present one, even where another did so before. */
export const wholeOf = (known: string): string => {
  const code = withCode.test(known) ? codeHere() : null;
  if (code !== null) return known.replace(withCode, (_, name: string) => name + encodeURIComponent(code));
  return withheld.get(known) ?? known;
};

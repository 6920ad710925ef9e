import type { CartEntry, LoadedCart } from '../../../machines/model/buying/cart.ts';
import { forgetCode, saveCode, readCode } from '../../storage/stored-code.ts';
import { cart } from './cart.ts';
import { isCodeRefusal, isCodeStillValid } from '../payment/code-refusals.ts';
import type { Scoped } from '../environment/scope.ts';
import { toFetchProblem, throwProblem } from '../wire/problem.ts';
import type { ShopClient } from '../wire/shop-client.ts';

/** The customer's cart with its discount code. */
export const cartCode = ({ scoped }: Scoped<ShopClient>) => {
  /** The code that the cart was last shown with; empty without one. */
  let shownCode = '';

  const readWithCode = async (code: string, signal: AbortSignal): Promise<CartEntry[]> => {
    const entries = await scoped(cart).readEntries(true, signal, code || undefined);
    shownCode = code;
    return entries;
  };

  return {
    /** The code for the next payment of the cart. */
    getShownCode: (): string => shownCode,

    /**
     * The cart at the price discounted by the code that this tab has stored. A code that is no
     * longer valid is dropped, and `refused` gives the reason.
     */
    read: async (signal: AbortSignal): Promise<LoadedCart> => {
      const code = readCode();
      if (code === '') return { entries: await readWithCode('', signal), refused: null };
      try {
        return { entries: await readWithCode(code, signal), refused: null };
      } catch (error) {
        const problem = toFetchProblem(error);
        if (problem.kind !== 'refused' || !isCodeRefusal(problem.code)) return throwProblem(problem);
        const isCodeInvalid = !isCodeStillValid(problem.code);
        if (isCodeInvalid) forgetCode();
        return { entries: await readWithCode('', signal), refused: isCodeInvalid ? problem : null };
      }
    },

    /**
     * Applies a typed code to the cart and stores it.
     * @throws Problem `refused` with `code_…` or `title_codes_…` where the code discounts nothing
     */
    apply: async (code: string, signal: AbortSignal): Promise<CartEntry[]> => {
      const entries = await readWithCode(code, signal);
      saveCode(code);
      return entries;
    },

    /** The cart without its code, which is dropped. */
    remove: async (signal: AbortSignal): Promise<CartEntry[]> => {
      const entries = await readWithCode('', signal);
      forgetCode();
      return entries;
    },
  };
};

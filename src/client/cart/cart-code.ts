import type { CartEntry, CartRead } from '../../../machines/model/buying/cart.ts';
import { forgetCode, keepCode, keptCode } from '../../storage/kept-code.ts';
import { cart } from './cart.ts';
import { isStillGood } from '../payment/code-refusals.ts';
import type { Own } from '../world/own.ts';
import { problemOfFailure, raise } from '../wire/problem.ts';
import type { ShopClient } from '../wire/shop-client.ts';

/** The cart of a customer with the code that makes it cheaper. */
export const cartCode = ({ own }: Own<ShopClient>) => {
  /** The code with which the cart was shown last; empty where it was shown without one. */
  let shownWith = '';

  const readWith = async (code: string, signal: AbortSignal): Promise<CartEntry[]> => {
    const entries = await own(cart).readEntries(true, signal, code || undefined);
    shownWith = code;
    return entries;
  };

  return {
    /** Makes cheaper what is paid for next of the cart. */
    shown: (): string => shownWith,

    /**
     * The cart at the price that a code leaves of it. The code was looked up or typed in this tab
     * before; one that is over is forgotten, and the answer says why.
     */
    read: async (signal: AbortSignal): Promise<CartRead> => {
      const code = keptCode();
      if (code === '') return { entries: await readWith('', signal), refused: null };
      try {
        return { entries: await readWith(code, signal), refused: null };
      } catch (error) {
        const problem = problemOfFailure(error);
        if (problem.kind !== 'refused') return raise(problem);
        const isOver = !isStillGood(problem.code);
        if (isOver) forgetCode();
        return { entries: await readWith('', signal), refused: isOver ? problem : null };
      }
    },

    /** The cart with a code that is typed now, which is kept. @throws Problem `refused` with `code_…` where it takes nothing off */
    apply: async (code: string, signal: AbortSignal): Promise<CartEntry[]> => {
      const entries = await readWith(code, signal);
      keepCode(code);
      return entries;
    },

    /** The cart without a code, which is forgotten. */
    takeOff: async (signal: AbortSignal): Promise<CartEntry[]> => {
      const entries = await readWith('', signal);
      forgetCode();
      return entries;
    },
  };
};

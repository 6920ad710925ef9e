import type { CartQuote } from '../model/cart.ts';
import type { GiftDays, GiftForm, GiftLetter } from '../model/gift.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/session.ts';
import type { TaxShown } from '../model/tax.ts';
import type { Price, TitleSummary } from '../model/title.ts';
import type { Outcome } from './payment.ts';
import type { Ways } from './ways-to-pay.ts';

/**
 * The title of a gift is asked for, or all that is in the cart; the store's countries decide in which money, together with the
 * language that the shop speaks.
 */
export type GiftRequest = { titleId: string; ofCart: boolean; countries: readonly string[] };

/**
 * What can be given, and for how much: a title, or the cart, of which the price is that of all. `key` is the new gift's own id: however often it is sent, it is one gift. `transId` belongs to
 * an unfinished payment for a gift of the same, and `key` then, too. `draft` is what was written in this tab before.
 */
export type GiftOffer = {
  title: TitleSummary | null;
  cart?: CartQuote;
  price: Price | null;
  /** What the title costs in credits, where it can be had for them. */
  credits?: number;
  /** What the gateway's page takes beside cards; left out where that is nothing. */
  methods?: readonly string[];
  days: GiftDays;
  key: string;
  transId: string | null;
  pii: { draft: GiftForm | null };
};

export type GiftContext = GiftRequest &
  TaxShown &
  Ways & {
    /** The store has gifts. */
    offers: boolean;
    transId: string | null;
    key: string | null;
    title: TitleSummary | null;
    cart?: CartQuote;
    price: Price | null;
    days: GiftDays | null;
    outcome: Outcome | null;
    fields: FieldProblems;
    problem: Problem | null;
    /** The giver’s words, and the e-mail that they make, where the server shows it. */
    pii: { form: GiftForm | null; letter: GiftLetter | null };
  };

/** Refusals of what the giver has written. */
export const ofForm = new Set(['gift_day', 'gift_info', 'gift_link', 'giver_link']);

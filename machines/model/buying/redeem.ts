import * as v from 'valibot';
import { listPath, withQuery } from '../paths.ts';
import { subscribePath } from '../purchase-paths.ts';
import { HIDDEN_SECRET } from '../account/after-sign-in.ts';
import type { Plan } from './subscription.ts';
import type { TitleSummary } from '../catalogue/title.ts';

/**
 * The form for a code, which removes whitespace and leading dots; the server decides which
 * spellings are equal.
 */
export const RedeemForm = v.object({
  code: v.pipe(
    v.string(),
    // Leading dots are removed, since dots alone would be path segments of their own (`..`).
    v.transform((text) => text.replaceAll(/\s/g, '').replace(/^\.+/, '')),
    v.nonEmpty('required'),
    v.maxLength(128, 'tooLong'),
  ),
});
export type RedeemForm = v.InferOutput<typeof RedeemForm>;

/** The path of a code's page, without the code: only the port that owns the URL knows the code. */
export const codePath = `/redeem/${HIDDEN_SECRET}`;

/**
 * The kinds of benefits. `titles`: one of several, chosen by the customer; `bundle`: all of them.
 */
export const offerKinds = ['title', 'titles', 'bundle', 'subscription', 'credits', 'discount'] as const;
export type OfferKind = (typeof offerKinds)[number];

/** The benefits of a code. */
export type CodeOffer = {
  kind: OfferKind;
  /**
   * The titles of which the code grants one, a bundle all; for a discount, the title that it
   * applies to. After redemption, the granted titles.
   */
  titles: TitleSummary[];
  /** The ids of those `titles` that the customer owns already. */
  owned: string[];
  plan: Plan | null;
  /**
   * Length of the trial in days, which requires a card; null if one period is free without a card.
   */
  trialDays: number | null;
  credits: number;
  percentOff: number;
  /** Whether the customer has redeemed the code. */
  redeemed: boolean;
  /** The customer's copy of the granted title. */
  instanceId: string | null;
  /** For a gift: its giver and the message. */
  pii?: { giver: string; message: string };
};

/** Whether the code is used in a payment: for a trial, or for a discount. */
export const leadsToPayment = ({ kind, trialDays }: CodeOffer): boolean =>
  kind === 'discount' || (kind === 'subscription' && trialDays !== null);

/**
 * The path of the payment page for such a code, with the code in the query. Machines do not know
 * the code and pass `HIDDEN_SECRET`.
 */
export const paymentPath = ({ kind, plan, titles: [title] }: CodeOffer, code: string): string => {
  if (kind === 'subscription') return subscribePath(plan?.id ?? '', code);
  return title === undefined ? listPath('all') : withQuery('/title/purchase', { titleid: title.id, code });
};

/** Whether the code grants titles for the library. */
const givesTitles = ({ kind }: CodeOffer): boolean => kind === 'title' || kind === 'titles' || kind === 'bundle';

/** The titles that the customer does not own yet. */
export const getUnownedTitles = ({ titles, owned }: CodeOffer): TitleSummary[] => titles.filter(({ id }) => !owned.includes(id));

/** Whether the customer already owns every title that the code could grant. */
export const ownsAllTitles = (offer: CodeOffer): boolean => givesTitles(offer) && getUnownedTitles(offer).length === 0;

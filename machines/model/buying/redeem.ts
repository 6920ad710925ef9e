import * as v from 'valibot';
import { listPath, subscribingPath, withQuery } from '../paths.ts';
import { hidden } from '../account/after-sign-in.ts';
import type { Plan } from './subscription.ts';
import type { TitleSummary } from '../catalogue/title.ts';

/** A code as it is typed, without blanks; which others are the same one, the server knows. */
export const RedeemForm = v.object({
  code: v.pipe(
    v.string(),
    // Dots alone would be steps of a path.
    v.transform((text) => text.replaceAll(/\s/g, '').replace(/^\.+/, '')),
    v.nonEmpty('required'),
    v.maxLength(128, 'tooLong'),
  ),
});
export type RedeemForm = v.InferOutput<typeof RedeemForm>;

/** The page of a code, as machines know it: the code itself stays with the port that owns the address. */
export const codePath = `/redeem/${hidden}`;

/** `titles`: one of several, at the customer's choice; `bundle`: all of them. */
export const offerKinds = ['title', 'titles', 'bundle', 'subscription', 'credits', 'discount'] as const;
export type OfferKind = (typeof offerKinds)[number];

/** What a code gives. */
export type Offer = {
  kind: OfferKind;
  /** Of these it gives one, a bundle all; of a discount, the one that it is for. Once it is used, what it gave. */
  titles: TitleSummary[];
  /** Those of `titles` that the customer has already, by their ids. */
  owned: string[];
  plan: Plan | null;
  /** Days before the first payment, for which a card is asked; null where one period costs nothing and takes no card. */
  trialDays: number | null;
  credits: number;
  percentOff: number;
  /** The customer has used it. */
  redeemed: boolean;
  /** The customer's copy of what it gave. */
  instanceId: string | null;
  /** Of a gift, who gives it and what they wish. */
  pii?: { giver: string; message: string };
};

/** True of what a payment makes use of: a trial, and something off a price. */
export const leadsToPayment = ({ kind, trialDays }: Offer): boolean =>
  kind === 'discount' || (kind === 'subscription' && trialDays !== null);

/** Where such a code leads; it goes along. Machines name it by `hidden`. */
export const paymentPath = ({ kind, plan, titles: [title] }: Offer, code: string): string => {
  if (kind === 'subscription') return subscribingPath(plan?.id ?? '', code);
  return title === undefined ? listPath('all') : withQuery('/title/purchase', { titleid: title.id, code });
};

/** True of what leads into the library. */
const givesTitles = ({ kind }: Offer): boolean => kind === 'title' || kind === 'titles' || kind === 'bundle';

/** Titles that the customer could still get by it. */
export const newTitles = ({ titles, owned }: Offer): TitleSummary[] => titles.filter(({ id }) => !owned.includes(id));

/** The customer has all that it could give. */
export const isOwnedAlready = (offer: Offer): boolean => givesTitles(offer) && newTitles(offer).length === 0;

import type { Caller } from '../accounts/caller-limits.ts';
import type { LanguageCode, Spoken } from '../base/language.ts';

/** The customer who pays, and where in the shop they are. */
export type Buyer = {
  storeId: string;
  userId: string;
  spoken: Spoken;
  /** the shop's origin, to which the gateway's page and e-mails lead back */
  origin: string;
  /** the browser's own languages, as it sends them */
  acceptLanguage: string;
};

/** By whom the guesses of a code are counted; asked for where one was typed. */
export type Payer = () => Promise<Caller & { userId: string }>;

/** The place and the language of a purchase, for the e-mails that lead back to the shop. */
export const fromOf = ({ spoken, origin }: Buyer): { language: LanguageCode; origin: string } => ({
  language: spoken.language,
  origin,
});

import type { Caller } from '../accounts/caller-limits.ts';
import type { LanguageCode, StoreLanguage } from '../base/language.ts';

/** The paying customer, with the language and origin of their visit. */
export type Buyer = {
  storeId: string;
  userId: string;
  spoken: StoreLanguage;
  /** the shop's origin, for links back from the gateway's page and from e-mails */
  origin: string;
  /** the browser's Accept-Language header */
  acceptLanguage: string;
};

/**
 * Resolves the paying customer as the caller whose wrong codes the rate limit counts; called only
 * if a code was entered.
 */
export type Payer = () => Promise<Caller & { userId: string }>;

/** The language and origin of a purchase, for links in its e-mails. */
export const toEmailOrigin = ({ spoken, origin }: Buyer): { language: LanguageCode; origin: string } => ({
  language: spoken.language,
  origin,
});

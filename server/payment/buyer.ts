import type { Spoken } from '../base/language.ts';

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

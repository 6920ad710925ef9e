import { childOf, textIn, type XmlNode } from '../wire/xml-node.ts';

/**
 * The billing address of a kept card for the confirmation of a purchase; unknown parts are missing.
 */
export type BillingAddress = {
  addressLine1?: string;
  addressLine2?: string;
  cardCity?: string;
  cardState?: string;
  cardCountry?: string;
};

const fields = {
  addressLine1: ['AddressLine1', 'Line1'],
  addressLine2: ['AddressLine2', 'Line2'],
  cardCity: ['City', 'CardCity'],
  cardState: ['State', 'CardState'],
  cardCountry: ['Country', 'CardCountry'],
} as const;

/** The address of a card, among its own fields or in one for it. */
export const billingAddressIn = (card: XmlNode): BillingAddress => {
  const nodes = [card, childOf(card, 'Address'), childOf(card, 'BillingAddress')];
  const told = Object.entries(fields).flatMap(([field, names]) => {
    const text = nodes.flatMap((node) => names.map((name) => textIn(node, name))).find((each) => each !== undefined);
    return text === undefined ? [] : [[field, text] as const];
  });
  return Object.fromEntries(told);
};

/**
 * The addresses of the customer's cards, by the cards' ids; machines and records never have them.
 */
export const billingAddresses = () => new Map<string, BillingAddress>();

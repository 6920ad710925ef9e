import { getChild, getText, type XmlNode } from '../wire/xml-node.ts';

/**
 * The billing address of a saved card, for the confirmation of a purchase; unknown parts are
 * missing.
 */
export type BillingAddress = {
  addressLine1?: string;
  addressLine2?: string;
  cardCity?: string;
  cardState?: string;
  cardCountry?: string;
};

const fieldNames = {
  addressLine1: ['AddressLine1', 'Line1'],
  addressLine2: ['AddressLine2', 'Line2'],
  cardCity: ['City', 'CardCity'],
  cardState: ['State', 'CardState'],
  cardCountry: ['Country', 'CardCountry'],
} as const;

/** The billing address of a card, from its own fields, or from those of a nested address. */
export const getBillingAddress = (card: XmlNode): BillingAddress => {
  const nodes = [card, getChild(card, 'Address'), getChild(card, 'BillingAddress')];
  const addressFields = Object.entries(fieldNames).flatMap(([field, names]) => {
    const text = nodes.flatMap((node) => names.map((name) => getText(node, name))).find((each) => each !== undefined);
    return text === undefined ? [] : [[field, text] as const];
  });
  return Object.fromEntries(addressFields);
};

/**
 * The billing addresses of the customer's cards, by card id; machines and traces never contain
 * them.
 */
export const createBillingAddresses = () => new Map<string, BillingAddress>();

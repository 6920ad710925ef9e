import { cardReturnPath } from '../../../machines/model/paths.ts';
import { shopName } from '../../catalogue/shop-name.ts';
import { originOf } from '../../stores/origin.ts';
import {
  cardsOf,
  changeDefault,
  dropCard,
  forgetAtGateway,
  gatewayCustomer,
  keepCard,
  type CardOwner,
} from '../../payment/cards.ts';
import { PaymentUnknown } from '../../payment/port.ts';
import { element, fields, type Markup } from '../../base/xml/write.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { DomainError, notFound } from '../../kernel/errors.ts';

type CardCall = Pick<CustomerCall, 'services' | 'store' | 'customer' | 'request'>;

const ownerOf = ({ store, customer, request }: CardCall): CardOwner => ({
  storeId: store.id,
  userId: customer.id,
  address: request.ip,
});

async function list(call: CardCall, added?: string): Promise<Markup> {
  const rows = await cardsOf(call.services.db, ownerOf(call));
  const cards = rows.map((row) =>
    element('Card', [
      fields({
        CardId: row.id,
        Brand: row.brand,
        LastFour: row.last4,
        ExpiryMonth: row.exp_month,
        ExpiryYear: row.exp_year,
        Default: row.is_default,
      }),
    ]),
  );
  return element('Cards', [fields({ Added: added }), ...cards]);
}

/** Whatever the gateway has done: nothing is charged by it, and to ask again does it once. */
const unavailable = ({ services }: CardCall, error: unknown): unknown => {
  if (!(error instanceof PaymentUnknown)) return error;
  services.log.error({ err: error.cause }, 'a card has no answer of the payment gateway');
  return new DomainError('payment_unknown', 'Cards can’t be saved right now.', { code: 'payment_unavailable' });
};

/** The cards that the gateway keeps for the customer. */
export const allCards = (call: CustomerCall<'allCards'>): Answer<'allCards'> => list(call);

/** Begins to keep a card: the gateway's page, from which the customer comes back with a token for `addCard`. */
export async function cardSession(call: CustomerCall<'cardSession'>): Answer<'cardSession'> {
  const { services, store, spoken, request } = call;
  try {
    const url = await services.payment.startSetup({
      customer: gatewayCustomer(ownerOf(call)),
      shopName: await shopName(services.db, store.id, spoken),
      returnUrl: originOf(store, request, services.config) + cardReturnPath,
      language: request.headers['accept-language']?.slice(0, 100) || '*',
    });
    return { provider: services.payment.provider, url };
  } catch (error) {
    throw unavailable(call, error);
  }
}

/** Keeps the card that the customer has left with the gateway, once however often it is asked. */
export async function addCard(call: CustomerCall<'addCard'>): Answer<'addCard'> {
  const { services, body } = call;
  const owner = ownerOf(call);
  const card = await services.payment.claimSetup(body.Token, gatewayCustomer(owner)).catch((error: unknown) => {
    throw unavailable(call, error);
  });
  const id = card && (await keepCard(services.db, owner, card, body.Default));
  if (id === undefined)
    throw new DomainError('conflict', 'This card can’t be saved any more. Please add it again.', { code: 'card_over' });
  return list(call, id);
}

/**
 * Takes a card off, here and at the gateway. @throws DomainError not_found for a card that the
 * customer does not have
 */
export async function deleteCard(call: CustomerCall<'deleteCard'>): Answer<'deleteCard'> {
  const { services, store, body } = call;
  const token = await dropCard(services.db, ownerOf(call), body.CardId);
  if (token === undefined) throw notFound('card');
  // A gateway that does not answer now is asked again by the sweep.
  await forgetAtGateway(services, store.id, token).catch((error: unknown) =>
    services.log.error({ err: error }, 'the gateway has not forgotten a card yet'),
  );
  return list(call);
}

/**
 * Makes a card the default one. @throws DomainError not_found for a card that the customer does not
 * have
 */
export async function changeCard(call: CustomerCall<'changeCard'>): Answer<'changeCard'> {
  if (!(await changeDefault(call.services.db, ownerOf(call), call.body.CardId))) throw notFound('card');
  return list(call);
}

import { cardReturnPath } from '../../../machines/model/paths.ts';
import { readShopName } from '../../catalogue/shop-name.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import {
  readCards,
  changeDefault,
  removeCard,
  forgetAtGateway,
  toGatewayCustomer,
  saveCard,
  type CardOwner,
} from '../../payment/cards.ts';
import { PaymentUnknown } from '../../payment/port.ts';
import { element, fields, type Markup } from '../../base/xml/write.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { DomainError, notFound } from '../../kernel/errors.ts';

type CardCall = Pick<CustomerCall, 'services' | 'store' | 'customer' | 'request'>;

const toCardOwner = ({ store, customer, request }: CardCall): CardOwner => ({
  storeId: store.id,
  userId: customer.id,
  address: request.ip,
});

async function renderCards(call: CardCall, added?: string): Promise<Markup> {
  const rows = await readCards(call.services.db, toCardOwner(call));
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

/** A lost answer is harmless: saving a card charges nothing, and retries are idempotent. */
const toCardError = ({ services }: CardCall, error: unknown): unknown => {
  if (!(error instanceof PaymentUnknown)) return error;
  services.log.warn({ err: error.cause }, 'payment.card.timeout');
  return new DomainError('payment_unknown', 'Cards can’t be saved right now.', { code: 'payment_unavailable' });
};

/** The cards that the gateway keeps for the customer. */
export const allCards = (call: CustomerCall<'allCards'>): Answer<'allCards'> => renderCards(call);

/**
 * Starts saving a card: returns the gateway's page, from which the customer returns with a token
 * for `addCard`.
 */
export async function cardSession(call: CustomerCall<'cardSession'>): Answer<'cardSession'> {
  const { services, store, spoken, request } = call;
  try {
    const url = await services.payment.startSetup({
      customer: toGatewayCustomer(toCardOwner(call)),
      shopName: await readShopName(services.db, store.id, spoken),
      returnUrl: getStoreOrigin(store, request, services.config) + cardReturnPath,
      language: request.headers['accept-language']?.slice(0, 100) || '*',
    });
    return { provider: services.payment.provider, url };
  } catch (error) {
    throw toCardError(call, error);
  }
}

/** Saves the card that the customer entered at the gateway; idempotent. */
export async function addCard(call: CustomerCall<'addCard'>): Answer<'addCard'> {
  const { services, body } = call;
  const owner = toCardOwner(call);
  const card = await services.payment.claimSetup(body.Token, toGatewayCustomer(owner)).catch((error: unknown) => {
    throw toCardError(call, error);
  });
  const id = card && (await saveCard(services.db, owner, card, body.Default));
  if (id === undefined)
    throw new DomainError('conflict', 'This card can’t be saved any more. Please add it again.', { code: 'card_over' });
  return renderCards(call, id);
}

/**
 * Deletes a card, here and at the gateway. @throws DomainError not_found for a card that the
 * customer does not have
 */
export async function deleteCard(call: CustomerCall<'deleteCard'>): Answer<'deleteCard'> {
  const { services, store, body } = call;
  const token = await removeCard(services.db, toCardOwner(call), body.CardId);
  if (token === undefined) throw notFound('card');
  // The sweep retries at a gateway that does not answer now.
  await forgetAtGateway(services, store.id, token).catch((error: unknown) =>
    services.log.warn({ err: error, willRetry: true }, 'payment.card.delete_failed'),
  );
  return renderCards(call);
}

/**
 * Makes a card the default one.
 * @throws DomainError not_found for a card that the customer does not have
 */
export async function changeCard(call: CustomerCall<'changeCard'>): Answer<'changeCard'> {
  if (!(await changeDefault(call.services.db, toCardOwner(call), call.body.CardId))) throw notFound('card');
  return renderCards(call);
}

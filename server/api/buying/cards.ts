import { cardReturnPath } from '../../../machines/model/purchase-paths.ts';
import { readShopName } from '../../catalogue/shop-name.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import {
  readCards,
  changeDefaultCard,
  removeCard,
  forgetAtGateway,
  toGatewayCustomer,
  saveCard,
  type CardOwner,
} from '../../payment/cards.ts';
import { PaymentUnknown } from '../../payment/port.ts';
import { renderElement, renderFields, type Markup } from '../../base/xml/write.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { DomainError, notFound } from '../../kernel/errors.ts';

type CardCall = Pick<CustomerCall, 'services' | 'store' | 'customer' | 'request'>;

const toCardOwner = ({ store, customer, request }: CardCall): CardOwner => ({
  storeId: store.id,
  userId: customer.id,
  address: request.ip,
});

async function renderCards(call: CardCall, addedCardId?: string): Promise<Markup> {
  const rows = await readCards(call.services.db, toCardOwner(call));
  const cards = rows.map((row) =>
    renderElement('Card', [
      renderFields({
        CardId: row.id,
        Brand: row.brand,
        LastFour: row.last4,
        ExpiryMonth: row.exp_month,
        ExpiryYear: row.exp_year,
        Default: row.is_default,
      }),
    ]),
  );
  return renderElement('Cards', [renderFields({ Added: addedCardId }), ...cards]);
}

/**
 * Converts the error of a call of the gateway. An unknown outcome is harmless: saving a card
 * charges no money, and the customer's retries are idempotent.
 * @param event the log event for an unknown outcome
 */
const toCardError = ({ services, store, customer }: CardCall, error: unknown, event: string): unknown => {
  if (!(error instanceof PaymentUnknown)) return error;
  services.log.warn({ err: error.cause, store: store.id, customer: customer.id }, event);
  return new DomainError('payment_unknown', 'Cards can’t be saved right now.', { code: 'payment_unavailable' });
};

/** Returns the customer's saved cards. */
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
    throw toCardError(call, error, 'payment.card_setup.outcome_unknown');
  }
}

/** Saves the card that the customer entered at the gateway; idempotent. */
export async function addCard(call: CustomerCall<'addCard'>): Answer<'addCard'> {
  const { services, body } = call;
  const owner = toCardOwner(call);
  const card = await services.payment.claimSetup(body.Token, toGatewayCustomer(owner)).catch((error: unknown) => {
    throw toCardError(call, error, 'payment.card_claim.outcome_unknown');
  });
  const id = card && (await saveCard(services.db, owner, card, body.Default));
  if (id === undefined) throw new DomainError('conflict', 'The card was not saved. Please add it again.', { code: 'card_over' });
  return renderCards(call, id);
}

/**
 * Deletes a card, here and at the gateway.
 * @throws DomainError not_found for a card that the customer does not have
 */
export async function deleteCard(call: CustomerCall<'deleteCard'>): Answer<'deleteCard'> {
  const { services, store, customer, body } = call;
  const token = await removeCard(services.db, toCardOwner(call), body.CardId);
  if (token === undefined) throw notFound('card');
  // After a failure, the sweep retries the removal at the gateway.
  await forgetAtGateway(services, store.id, token).catch((error: unknown) => {
    const fields = { store: store.id, customer: customer.id, card: body.CardId, willRetry: true };
    if (error instanceof PaymentUnknown)
      services.log.warn({ err: error.cause, ...fields }, 'payment.card_delete.outcome_unknown');
    else services.log.error({ err: error, ...fields }, 'payment.card_delete.failed');
  });
  return renderCards(call);
}

/**
 * Makes a card the default one.
 * @throws DomainError not_found for a card that the customer does not have
 */
export async function changeCard(call: CustomerCall<'changeCard'>): Answer<'changeCard'> {
  if (!(await changeDefaultCard(call.services.db, toCardOwner(call), call.body.CardId))) throw notFound('card');
  return renderCards(call);
}

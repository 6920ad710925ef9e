import { randomUUID } from 'node:crypto';
import { writeAuditLog } from '../kernel/audit.ts';
import { notFound } from '../kernel/errors.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import type { Database } from '../database/open.ts';
import type { SavedCard } from './port.ts';
import type { PaymentServices } from './payment-services.ts';
import type { SweepRound } from './sweep-round.ts';

/** A customer; `address` is their request's network address, left out without a request. */
export type CardOwner = { storeId: string; userId: string; address?: string };

/** The customer's reference at the gateway. */
export const toGatewayCustomer = ({ storeId, userId }: CardOwner): string => `${storeId}/${userId}`;

/** Reads a customer's cards: the default one first, then the newest. */
export const readCards = (db: Database, { storeId, userId }: CardOwner) =>
  db
    .selectFrom('cards')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .orderBy('is_default', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

/**
 * Reads the gateway's token for a customer's card.
 * @throws DomainError not_found for an unknown card or another customer's
 */
export async function readCardToken(db: Database, { storeId, userId }: CardOwner, cardId: string): Promise<string> {
  const card = await db
    .selectFrom('cards')
    .select('gateway_card')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('id', '=', cardId)
    .executeTakeFirst();
  if (!card) throw notFound('card');
  return card.gateway_card;
}

/** Queues tokens for removal at the gateway; `sweepCards` retries until the gateway confirms. */
async function queueCardRemoval(trx: Database, storeId: string, tokens: string[]): Promise<void> {
  if (tokens.length === 0) return;
  await trx
    .insertInto('forgotten_cards')
    .values(tokens.map((token) => ({ store_id: storeId, gateway_card: token })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const isRemovalQueued = async (db: Database, storeId: string, token: string): Promise<boolean> =>
  (await db
    .selectFrom('forgotten_cards')
    .select('gateway_card')
    .where('store_id', '=', storeId)
    .where('gateway_card', '=', token)
    .executeTakeFirst()) !== undefined;

const isDeleted = async (db: Database, { storeId, userId }: CardOwner): Promise<boolean> =>
  (await db
    .selectFrom('users')
    .select('id')
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) === undefined;

/** Makes the card the customer's only default. The caller must hold the customer's lock. */
async function setDefaultCard(trx: Database, { storeId, userId }: CardOwner, cardId: string): Promise<void> {
  const customerCards = trx.updateTable('cards').where('store_id', '=', storeId).where('user_id', '=', userId);
  await customerCards.set({ is_default: false }).where('is_default', '=', true).where('id', '<>', cardId).execute();
  await customerCards.set({ is_default: true }).where('id', '=', cardId).execute();
}

/**
 * Stores a card that the customer saved at the gateway; idempotent. The first card becomes the
 * default. If the card is stored under an older token, its row gets the new one, and the older
 * token is queued for removal.
 * @returns the card's id; undefined if the card was removed, or its customer deleted
 */
export async function saveCard(
  db: Database,
  owner: CardOwner,
  card: SavedCard,
  wantsDefault = false,
): Promise<string | undefined> {
  const storedCard = (await readCards(db, owner)).find(({ gateway_card }) => gateway_card === card.token);
  if (storedCard && !wantsDefault) return storedCard.id;
  return db.transaction().execute(async (trx) => {
    await lockCustomer(trx, owner.storeId, owner.userId);
    if (await isRemovalQueued(trx, owner.storeId, card.token)) return undefined;
    if (await isDeleted(trx, owner)) {
      await queueCardRemoval(trx, owner.storeId, [card.token]);
      return undefined;
    }
    const cards = await readCards(trx, owner);
    const olderTokens = card.replaces ?? [];
    const [sameCard, ...duplicates] = cards.filter((each) => [card.token, ...olderTokens].includes(each.gateway_card));
    // Includes tokens that are not stored yet: webhooks may report a replaced card after its
    // successor.
    await queueCardRemoval(trx, owner.storeId, olderTokens);
    for (const { id } of duplicates)
      await trx.deleteFrom('cards').where('store_id', '=', owner.storeId).where('id', '=', id).execute();
    const cardColumns = {
      gateway_card: card.token,
      brand: card.brand,
      last4: card.last4,
      exp_month: card.expMonth,
      exp_year: card.expYear,
    };
    const id = sameCard?.id ?? randomUUID();
    if (sameCard)
      await trx.updateTable('cards').set(cardColumns).where('store_id', '=', owner.storeId).where('id', '=', id).execute();
    else
      await trx
        .insertInto('cards')
        .values({ ...cardColumns, store_id: owner.storeId, user_id: owner.userId, id })
        .execute();
    if (wantsDefault || cards.length === 0) await setDefaultCard(trx, owner, id);
    if (sameCard?.gateway_card !== card.token) await writeAuditLog(trx, 'card_added', owner);
    return id;
  });
}

/**
 * Removes a card. If it was the default, the newest other card becomes the default. The caller then
 * removes it at the gateway with `forgetAtGateway`.
 * @returns the gateway's token for the card; undefined if the customer has no such card
 */
export async function removeCard(db: Database, owner: CardOwner, cardId: string): Promise<string | undefined> {
  return db.transaction().execute(async (trx) => {
    await lockCustomer(trx, owner.storeId, owner.userId);
    const removedCard = await trx
      .deleteFrom('cards')
      .where('store_id', '=', owner.storeId)
      .where('user_id', '=', owner.userId)
      .where('id', '=', cardId)
      .returning(['gateway_card', 'is_default'])
      .executeTakeFirst();
    if (!removedCard) return undefined;
    await queueCardRemoval(trx, owner.storeId, [removedCard.gateway_card]);
    await writeAuditLog(trx, 'card_removed', owner);
    const [newestCard] = await readCards(trx, owner);
    if (removedCard.is_default && newestCard) await setDefaultCard(trx, owner, newestCard.id);
    return removedCard.gateway_card;
  });
}

/**
 * Removes all cards of a customer. The caller must hold the customer's lock; the sweep removes the
 * cards at the gateway.
 */
export async function removeAllCards(trx: Database, { storeId, userId }: CardOwner): Promise<void> {
  const removedCards = await trx
    .deleteFrom('cards')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .returning('gateway_card')
    .execute();
  await queueCardRemoval(
    trx,
    storeId,
    removedCards.map(({ gateway_card }) => gateway_card),
  );
}

/** Makes a card the default. @returns false if the customer has no such card */
export async function changeDefaultCard(db: Database, owner: CardOwner, cardId: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockCustomer(trx, owner.storeId, owner.userId);
    const cards = await readCards(trx, owner);
    if (!cards.some(({ id }) => id === cardId)) return false;
    await setDefaultCard(trx, owner, cardId);
    return true;
  });
}

/** Removes at the gateway a card that the store has removed. @throws PaymentUnknown */
export async function forgetAtGateway({ db, payment }: PaymentServices, storeId: string, token: string): Promise<void> {
  await payment.forgetCard(token);
  await db
    .updateTable('forgotten_cards')
    .set({ done: true })
    .where('store_id', '=', storeId)
    .where('gateway_card', '=', token)
    .execute();
}

/** Maximum number of cards that one sweep processes. */
const BATCH_SIZE = 200;

/**
 * Retries the removal of cards that the gateway has not confirmed yet, least recently tried first.
 * @returns the number of removals that the gateway confirmed
 */
export async function sweepCards(services: PaymentServices, round: SweepRound, now: Date): Promise<number> {
  const { db } = services;
  const rows = await db
    .selectFrom('forgotten_cards')
    .select(['store_id', 'gateway_card'])
    .where('done', '=', false)
    .orderBy('asked_at', (order) => order.asc().nullsFirst())
    .limit(BATCH_SIZE)
    .execute();
  return round.run({
    rows,
    markSwept: ({ store_id, gateway_card }) =>
      db
        .updateTable('forgotten_cards')
        .set({ asked_at: now })
        .where('store_id', '=', store_id)
        .where('gateway_card', '=', gateway_card)
        .execute(),
    settle: async ({ store_id, gateway_card }) => {
      await forgetAtGateway(services, store_id, gateway_card);
      return true;
    },
    describe: ({ store_id }) => ({ store: store_id }),
    unknownEvent: 'payment.card_delete.outcome_unknown',
    failedEvent: 'payment.card_delete.failed',
  });
}

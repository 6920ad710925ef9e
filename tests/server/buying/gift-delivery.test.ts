import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setClockAhead } from '../../../server/base/clock/time.ts';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { findDeliveryMoment } from '../../../server/gifts/delivery-day.ts';
import { RESEND_PAUSE_MS } from '../../../server/gifts/resend-gift.ts';
import { sendQueuedEmails } from '../../../server/jobs/send-queued-emails.ts';
import type { Mail } from '../../../server/mail/transport.ts';
import { lookUpCode, redeemTitle } from '../support/codes.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import {
  getCodeFromEmail,
  buyGift,
  makeGift,
  type GiftInfo,
  startGiftSession,
  readGifts,
  createGiftStore,
  readGiftEmails,
  resendGift,
} from '../support/gifts.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let giver: Customer;
let gift: GiftInfo & { GiftId: string };
beforeAll(async () => {
  shop = await openShop();
  store = await createGiftStore(shop);
});
beforeEach(async () => {
  await shop.db.deleteFrom('letters').execute();
  setClockAhead(0);
  giver = await createCustomer(shop, store);
  gift = makeGift();
});
afterAll(() => shop.close());

const selectQueuedEmails = () => shop.db.selectFrom('letters').selectAll().where('gift_id', '=', gift.GiftId).execute();
const makeEmailsDue = () =>
  shop.db
    .updateTable('letters')
    .set({ due_at: new Date(0) })
    .execute();
/** Makes the last e-mail of the gift older than the pause before it can be sent again. */
const elapseResendPause = () =>
  shop.db
    .updateTable('gifts')
    .set({ written_at: new Date(Date.now() - RESEND_PAUSE_MS - 1000) })
    .where('id', '=', gift.GiftId)
    .execute();
const dateInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/**
 * Creates services whose mail transport fails while `state.fails` is true. @returns them with
 * `state` and `mails`: the e-mails sent, without those to the giver.
 */
const createFaultyMail = () => {
  const mails: Mail[] = [];
  const state = { fails: true };
  const mail = {
    send: async (email: Mail) => {
      if (state.fails) throw new Error('The mail server is unreachable.');
      if (email.to !== giver.email) mails.push(email);
    },
    close: () => {},
  };
  return { state, mails, services: { ...shop.services, mail } };
};

describe('a delivery date chosen by the giver', () => {
  const now = new Date('2026-11-23T22:30:00Z');
  test.each([
    ['2026-12-24', 'Europe/Paris', '2026-12-24T08:00:00.000Z'],
    ['2027-07-14', 'Europe/Paris', '2027-07-14T07:00:00.000Z'],
    ['2026-12-24', 'America/New_York', '2026-12-24T14:00:00.000Z'],
    ['2026-12-24', 'Asia/Kolkata', '2026-12-24T03:30:00.000Z'],
    // The morning after the clocks go forward.
    ['2027-03-28', 'Europe/Paris', '2027-03-28T07:00:00.000Z'],
    ['2027-11-23', 'UTC', '2027-11-23T09:00:00.000Z'],
    // Nine o'clock has passed: sent at once.
    ['2026-11-23', 'UTC', '2026-11-23T22:30:00.000Z'],
    // In Tokyo, 24 November has already begun.
    ['2026-11-24', 'Asia/Tokyo', '2026-11-24T00:00:00.000Z'],
  ])('a gift for %s in %s is delivered at %s', (day, zone, moment) => {
    expect(findDeliveryMoment(day, zone, now)?.toISOString()).toBe(moment);
  });

  test.each([
    ['2026-11-22', 'UTC'],
    ['2026-11-23', 'Asia/Tokyo'],
    ['2027-11-24', 'UTC'],
  ])('the delivery date %s in %s is refused', (day, zone) => expect(findDeliveryMoment(day, zone, now)).toBeUndefined());

  test('a gift’s e-mail waits for the delivery date, and is sent to the address entered last', async () => {
    const scheduledGift = { ...gift, DeliverOn: dateInDays(9), TimeZone: 'Europe/Paris' };
    await buyGift(shop, giver, scheduledGift);
    expect(await readGiftEmails(shop, gift)).toEqual([]);
    expect(await readGifts(shop, giver)).toMatchObject([
      { status: 'scheduled', deliverOn: scheduledGift.DeliverOn, sentAt: null },
    ]);
    const [message] = await selectQueuedEmails();
    expect(message?.due_at.toISOString().slice(0, 10)).toBe(scheduledGift.DeliverOn);
    const otherEmail = `${randomUUID()}@example.org`;
    expect((await resendGift(shop, giver, { giftId: gift.GiftId, email: otherEmail })).value).toMatchObject({
      status: 'scheduled',
      recipientEmail: otherEmail,
    });
    expect((await selectQueuedEmails())[0]?.due_at).toEqual(message?.due_at);
    await makeEmailsDue();
    expect(await readGiftEmails(shop, { ...gift, RecipientEmail: otherEmail })).toHaveLength(1);
    expect(await readGiftEmails(shop, gift)).toEqual([]);
    expect(await readGifts(shop, giver)).toMatchObject([{ status: 'sent' }]);
  });
});

describe('e-mails that cannot be sent', () => {
  test('a gift’s e-mail that cannot be sent is retried with growing pauses, and sent once', async () => {
    const { state, mails, services } = createFaultyMail();
    await buyGift(shop, giver, gift);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await sendQueuedEmails(services);
      waits.push(Math.round((((await selectQueuedEmails())[0]?.due_at.getTime() ?? 0) - Date.now()) / 60_000));
      await makeEmailsDue();
    }
    expect(waits).toEqual([1, 2, 4]);
    expect(await readGifts(shop, giver)).toMatchObject([{ status: 'sending' }]);
    state.fails = false;
    await Promise.all([1, 2, 3].map(() => sendQueuedEmails(services)));
    expect(mails.map(({ to }) => to)).toEqual([gift.RecipientEmail]);
    expect(await readGifts(shop, giver)).toMatchObject([{ status: 'sent' }]);
  });

  test('a gift’s e-mail is sent again unchanged after a server died before recording it as sent', async () => {
    const { state, mails, services } = createFaultyMail();
    state.fails = false;
    await buyGift(shop, giver, gift);
    const [message] = await selectQueuedEmails();
    await sendQueuedEmails(services);
    await shop.db
      .insertInto('letters')
      .values({ ...(message ?? expect.fail(`No e-mail is queued for the gift ${gift.GiftId}.`)), due_at: new Date(0) })
      .execute();
    await sendQueuedEmails(services);
    const [firstEmail, repeatedEmail] = mails;
    expect([repeatedEmail?.id, repeatedEmail?.text]).toEqual([firstEmail?.id, firstEmail?.text]);
  });

  test('a gift’s e-mail is marked as failed after twelve attempts, and the giver can correct the address', async () => {
    const { services } = createFaultyMail();
    await buyGift(shop, giver, gift);
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await makeEmailsDue();
      await sendQueuedEmails(services);
    }
    expect(await readGifts(shop, giver)).toMatchObject([{ status: 'failed' }]);
    const email = `${randomUUID()}@example.org`;
    expect((await resendGift(shop, giver, { giftId: gift.GiftId, email })).value).toMatchObject({ status: 'sending' });
    expect(await readGiftEmails(shop, { ...gift, RecipientEmail: email })).toHaveLength(1);
    expect(await readGifts(shop, giver)).toMatchObject([{ status: 'sent', recipientEmail: email }]);
  });
});

describe('sending a gift again', () => {
  test('a gift is sent again to the same address with the same link, after a pause', async () => {
    await buyGift(shop, giver, gift);
    const [firstEmail] = await readGiftEmails(shop, gift);
    const earlyResponse = await resendGift(shop, giver, { giftId: gift.GiftId });
    expect([earlyResponse.status, earlyResponse.value.code]).toEqual([429, 'gift_just_sent']);
    expect(Number(earlyResponse.headers['retry-after'])).toBeGreaterThan(500);
    setClockAhead(86_400_000);
    expect((await resendGift(shop, giver, { giftId: gift.GiftId })).status).toBe(429);
    setClockAhead(0);
    await elapseResendPause();
    const responses = await Promise.all([1, 2, 3].map(() => resendGift(shop, giver, { giftId: gift.GiftId })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const emails = await readGiftEmails(shop, gift);
    expect(emails).toHaveLength(2);
    expect(getCodeFromEmail(emails[1])).toBe(getCodeFromEmail(firstEmail));
    expect(emails[1]?.messageId).not.toBe(firstEmail?.messageId);
  });

  test('a gift can be sent to another address at once, which invalidates the first link', async () => {
    await buyGift(shop, giver, gift);
    const firstCode = getCodeFromEmail((await readGiftEmails(shop, gift))[0]);
    const email = `${randomUUID()}@example.org`;
    expect((await resendGift(shop, giver, { giftId: gift.GiftId, email })).status).toBe(200);
    const [message] = await readGiftEmails(shop, { ...gift, RecipientEmail: email });
    const friend = await createCustomer(shop, store);
    expect((await lookUpCode(shop, friend, firstCode)).status).toBe(404);
    expect((await redeemTitle(shop, friend, getCodeFromEmail(message))).status).toBe(200);
    expect((await resendGift(shop, giver, { giftId: gift.GiftId, email: gift.RecipientEmail })).value).toMatchObject({
      code: 'gift_redeemed',
    });
  });

  test('an address that is corrected before the second e-mail leaves invalidates the link of the first e-mail', async () => {
    await buyGift(shop, giver, gift);
    const firstCode = getCodeFromEmail((await readGiftEmails(shop, gift))[0]);
    await elapseResendPause();
    expect((await resendGift(shop, giver, { giftId: gift.GiftId })).status).toBe(200);
    const email = `${randomUUID()}@example.org`;
    expect((await resendGift(shop, giver, { giftId: gift.GiftId, email })).status).toBe(200);
    const friend = await createCustomer(shop, store);
    expect((await lookUpCode(shop, friend, firstCode)).status).toBe(404);
    const [message] = await readGiftEmails(shop, { ...gift, RecipientEmail: email });
    expect((await redeemTitle(shop, friend, getCodeFromEmail(message))).status).toBe(200);
  });

  test('a gift is sent in at most ten e-mails', async () => {
    await buyGift(shop, giver, gift);
    for (let message = 1; message < 10; message += 1) {
      await readGiftEmails(shop, gift);
      await elapseResendPause();
      expect((await resendGift(shop, giver, { giftId: gift.GiftId })).status).toBe(200);
    }
    await readGiftEmails(shop, gift);
    await elapseResendPause();
    expect((await resendGift(shop, giver, { giftId: gift.GiftId })).value).toMatchObject({
      status: 409,
      code: 'gift_letters_used',
    });
  });

  test('a gift is sent again only for its giver, once it is paid, and to a valid address', async () => {
    await startGiftSession(shop, giver, gift);
    expect(await readGifts(shop, giver)).toEqual([]);
    expect((await resendGift(shop, giver, { giftId: gift.GiftId })).status).toBe(404);
    const paidGift = makeGift();
    await buyGift(shop, giver, paidGift);
    const otherCustomer = await createCustomer(shop, store);
    expect((await resendGift(shop, otherCustomer, { giftId: paidGift.GiftId })).status).toBe(404);
    expect((await resendGift(shop, giver, { giftId: paidGift.GiftId, email: 'nobody' })).value).toMatchObject({
      code: 'gift_info',
    });
  });
});

describe('personal data in gifts', () => {
  const selectGiftDetails = async () =>
    shop.db
      .selectFrom('gifts')
      .select(['recipient_name', 'recipient_email', 'message'])
      .where('giver_id', '=', giver.id)
      .orderBy('created_at')
      .execute();
  const emptyDetails = { recipient_name: '', recipient_email: '', message: '' };

  test('a giver’s downloaded data contain the details of the gift', async () => {
    await buyGift(shop, giver, gift);
    const { value } = await shop.call('userData', '/user/data', { query: giver.query });
    expect((value as { gifts: object[] }).gifts).toMatchObject([
      { giftId: gift.GiftId, recipientName: 'Bo', recipientEmail: gift.RecipientEmail, message: 'Happy birthday!\nYours, A.' },
    ]);
  });

  test('after a giver’s account is deleted, paid gifts are still sent, and then all data of their recipients is deleted', async () => {
    await buyGift(shop, giver, gift);
    await readGiftEmails(shop, gift);
    const scheduledGift = makeGift({ DeliverOn: dateInDays(5) });
    await buyGift(shop, giver, scheduledGift);
    await startGiftSession(shop, giver, makeGift());
    const headers = { authorization: `Bearer ${giver.query.accesstoken}` };
    const deletionResponse = await shop.call('deleteUser', '/user/delete', { query: { shelfid: store }, headers });
    expect(deletionResponse.status).toBe(200);
    expect(await selectGiftDetails()).toMatchObject([emptyDetails, { recipient_email: scheduledGift.RecipientEmail }]);
    await makeEmailsDue();
    const [message] = await readGiftEmails(shop, scheduledGift);
    expect(message?.subject).toBe(`${store}: A friend has sent you a gift`);
    expect(await selectGiftDetails()).toEqual([emptyDetails, emptyDetails]);
    const friend = await createCustomer(shop, store);
    expect((await redeemTitle(shop, friend, getCodeFromEmail(message))).status).toBe(200);
  });

  test('gifts without a payment, open or paid, are deleted after a week', async () => {
    const { transId } = (await startGiftSession(shop, giver, gift)).value as { transId: string };
    const eightDaysAgo = { created_at: new Date(Date.now() - 8 * 86_400_000) };
    await shop.db.updateTable('gifts').set(eightDaysAgo).where('id', '=', gift.GiftId).execute();
    await cleanUp(shop.db);
    expect(await selectGiftDetails()).toHaveLength(1);
    await shop.db.updateTable('transactions').set({ status: 'cancelled', finished: true }).where('id', '=', transId).execute();
    await cleanUp(shop.db);
    expect(await selectGiftDetails()).toEqual([]);
    const paidGift = makeGift();
    await buyGift(shop, giver, paidGift);
    await shop.db.updateTable('gifts').set(eightDaysAgo).where('id', '=', paidGift.GiftId).execute();
    await cleanUp(shop.db);
    expect(await selectGiftDetails()).toHaveLength(1);
  });
});

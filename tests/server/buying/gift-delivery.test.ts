import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setClockAhead } from '../../../server/base/clock/time.ts';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { deliveryMoment } from '../../../server/gifts/delivery-day.ts';
import { PAUSE } from '../../../server/gifts/send-again.ts';
import { sendLetters } from '../../../server/jobs/send-letters.ts';
import type { Mail } from '../../../server/mail/transport.ts';
import { lookUp, redeemTitle } from '../support/codes.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import {
  codeInLetter,
  give,
  giftFor,
  type GiftInfo,
  giftSession,
  giftsOf,
  giftStore,
  lettersOf,
  resend,
} from '../support/gifts.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let giver: Customer;
let gift: GiftInfo & { GiftId: string };
beforeAll(async () => {
  shop = await openShop();
  store = await giftStore(shop);
});
beforeEach(async () => {
  await shop.db.deleteFrom('letters').execute();
  setClockAhead(0);
  giver = await customerOf(shop, store);
  gift = giftFor();
});
afterAll(() => shop.close());

const queued = () => shop.db.selectFrom('letters').selectAll().where('gift_id', '=', gift.GiftId).execute();
const becomeDue = () =>
  shop.db
    .updateTable('letters')
    .set({ due_at: new Date(0) })
    .execute();
/** The pause after the last letter is over. */
const wait = () =>
  shop.db
    .updateTable('gifts')
    .set({ written_at: new Date(Date.now() - PAUSE - 1000) })
    .where('id', '=', gift.GiftId)
    .execute();
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A mail transport that fails until it is mended, and the gifts that it has brought; the giver's receipts are another matter. */
const faulty = () => {
  const mails: Mail[] = [];
  const state = { fails: true };
  const mail = {
    send: async (sent: Mail) => {
      if (state.fails) throw new Error('The mail server is away.');
      if (sent.to !== giver.email) mails.push(sent);
    },
    close: () => {},
  };
  return { state, mails, services: { ...shop.services, mail } };
};

describe('the day that the giver chooses', () => {
  const now = new Date('2026-11-23T22:30:00Z');
  test.each([
    ['2026-12-24', 'Europe/Paris', '2026-12-24T08:00:00.000Z'],
    ['2027-07-14', 'Europe/Paris', '2027-07-14T07:00:00.000Z'],
    ['2026-12-24', 'America/New_York', '2026-12-24T14:00:00.000Z'],
    ['2026-12-24', 'Asia/Kolkata', '2026-12-24T03:30:00.000Z'],
    // The morning after the clocks go forward.
    ['2027-03-28', 'Europe/Paris', '2027-03-28T07:00:00.000Z'],
    ['2027-11-23', 'UTC', '2027-11-23T09:00:00.000Z'],
    // Nine o'clock has passed: at once.
    ['2026-11-23', 'UTC', '2026-11-23T22:30:00.000Z'],
    // It is tomorrow there already.
    ['2026-11-24', 'Asia/Tokyo', '2026-11-24T00:00:00.000Z'],
  ])('%s in %s is %s', (day, zone, moment) => {
    expect(deliveryMoment(day, zone, now)?.toISOString()).toBe(moment);
  });

  test.each([
    ['2026-11-22', 'UTC'],
    ['2026-11-23', 'Asia/Tokyo'],
    ['2027-11-24', 'UTC'],
  ])('%s in %s is none', (day, zone) => expect(deliveryMoment(day, zone, now)).toBeUndefined());

  test('the letter waits for it, and says then what the gift says then', async () => {
    const dated = { ...gift, DeliverOn: inDays(9), TimeZone: 'Europe/Paris' };
    await give(shop, giver, dated);
    expect(await lettersOf(shop, gift)).toEqual([]);
    expect(await giftsOf(shop, giver)).toMatchObject([{ status: 'scheduled', deliverOn: dated.DeliverOn, sentAt: null }]);
    const [letter] = await queued();
    expect(letter?.due_at.toISOString().slice(0, 10)).toBe(dated.DeliverOn);
    const moved = `${randomUUID()}@example.org`;
    expect((await resend(shop, giver, { giftId: gift.GiftId, email: moved })).value).toMatchObject({
      status: 'scheduled',
      recipientEmail: moved,
    });
    expect((await queued())[0]?.due_at).toEqual(letter?.due_at);
    await becomeDue();
    expect(await lettersOf(shop, { ...gift, RecipientEmail: moved })).toHaveLength(1);
    expect(await lettersOf(shop, gift)).toEqual([]);
    expect(await giftsOf(shop, giver)).toMatchObject([{ status: 'sent' }]);
  });
});

describe('a letter that cannot go out', () => {
  test('is tried again after growing pauses, with the same link, and sent once', async () => {
    const { state, mails, services } = faulty();
    await give(shop, giver, gift);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await sendLetters(services);
      waits.push(Math.round((((await queued())[0]?.due_at.getTime() ?? 0) - Date.now()) / 60_000));
      await becomeDue();
    }
    expect(waits).toEqual([1, 2, 4]);
    expect(await giftsOf(shop, giver)).toMatchObject([{ status: 'sending' }]);
    state.fails = false;
    await Promise.all([1, 2, 3].map(() => sendLetters(services)));
    expect(mails.map(({ to }) => to)).toEqual([gift.RecipientEmail]);
    expect(await giftsOf(shop, giver)).toMatchObject([{ status: 'sent' }]);
  });

  test('of a shop that ended before it had written that down, the same letter goes out again', async () => {
    const { state, mails, services } = faulty();
    state.fails = false;
    await give(shop, giver, gift);
    const [letter] = await queued();
    await sendLetters(services);
    await shop.db
      .insertInto('letters')
      .values({ ...(letter ?? expect.fail('No letter.')), due_at: new Date(0) })
      .execute();
    await sendLetters(services);
    const [first, again] = mails;
    expect([again?.id, again?.text]).toEqual([first?.id, first?.text]);
  });

  test('is given up in the end, and the giver corrects the address', async () => {
    const { services } = faulty();
    await give(shop, giver, gift);
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await becomeDue();
      await sendLetters(services);
    }
    expect(await giftsOf(shop, giver)).toMatchObject([{ status: 'failed' }]);
    const email = `${randomUUID()}@example.org`;
    expect((await resend(shop, giver, { giftId: gift.GiftId, email })).value).toMatchObject({ status: 'sending' });
    expect(await lettersOf(shop, { ...gift, RecipientEmail: email })).toHaveLength(1);
    expect(await giftsOf(shop, giver)).toMatchObject([{ status: 'sent', recipientEmail: email }]);
  });
});

describe('send again', () => {
  test('the same link goes to the same address, after a pause', async () => {
    await give(shop, giver, gift);
    const [first] = await lettersOf(shop, gift);
    const early = await resend(shop, giver, { giftId: gift.GiftId });
    expect([early.status, early.value.code]).toEqual([429, 'gift_just_sent']);
    expect(Number(early.headers['retry-after'])).toBeGreaterThan(500);
    setClockAhead(86_400_000);
    expect((await resend(shop, giver, { giftId: gift.GiftId })).status).toBe(429);
    setClockAhead(0);
    await wait();
    const answers = await Promise.all([1, 2, 3].map(() => resend(shop, giver, { giftId: gift.GiftId })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const letters = await lettersOf(shop, gift);
    expect(letters).toHaveLength(2);
    expect(codeInLetter(letters[1])).toBe(codeInLetter(first));
    expect(letters[1]?.messageId).not.toBe(first?.messageId);
  });

  test('to another address at once, and the first link opens nothing any more', async () => {
    await give(shop, giver, gift);
    const first = codeInLetter((await lettersOf(shop, gift))[0]);
    const email = `${randomUUID()}@example.org`;
    expect((await resend(shop, giver, { giftId: gift.GiftId, email })).status).toBe(200);
    const [letter] = await lettersOf(shop, { ...gift, RecipientEmail: email });
    const friend = await customerOf(shop, store);
    expect((await lookUp(shop, friend, first)).status).toBe(404);
    expect((await redeemTitle(shop, friend, codeInLetter(letter))).status).toBe(200);
    expect((await resend(shop, giver, { giftId: gift.GiftId, email: gift.RecipientEmail })).value).toMatchObject({
      code: 'gift_redeemed',
    });
  });

  test('ten letters are enough', async () => {
    await give(shop, giver, gift);
    for (let letter = 1; letter < 10; letter += 1) {
      await lettersOf(shop, gift);
      await wait();
      expect((await resend(shop, giver, { giftId: gift.GiftId })).status).toBe(200);
    }
    await lettersOf(shop, gift);
    await wait();
    expect((await resend(shop, giver, { giftId: gift.GiftId })).value).toMatchObject({ status: 409, code: 'gift_letters_used' });
  });

  test('only one’s own, only what is paid, only to an address', async () => {
    await giftSession(shop, giver, gift);
    expect(await giftsOf(shop, giver)).toEqual([]);
    expect((await resend(shop, giver, { giftId: gift.GiftId })).status).toBe(404);
    const paid = giftFor();
    await give(shop, giver, paid);
    const other = await customerOf(shop, store);
    expect((await resend(shop, other, { giftId: paid.GiftId })).status).toBe(404);
    expect((await resend(shop, giver, { giftId: paid.GiftId, email: 'nobody' })).value).toMatchObject({ code: 'gift_info' });
  });
});

describe('whose data they are', () => {
  const kept = async () =>
    shop.db
      .selectFrom('gifts')
      .select(['recipient_name', 'recipient_email', 'message'])
      .where('giver_id', '=', giver.id)
      .orderBy('created_at')
      .execute();
  const nothing = { recipient_name: '', recipient_email: '', message: '' };

  test('a giver downloads what they have said', async () => {
    await give(shop, giver, gift);
    const { value } = await shop.ask('userData', '/user/data', { query: giver.query });
    expect((value as { gifts: object[] }).gifts).toMatchObject([
      { giftId: gift.GiftId, recipientName: 'Bo', recipientEmail: gift.RecipientEmail, message: 'Happy birthday!\nYours, A.' },
    ]);
  });

  test('once a giver’s account is deleted, what is paid for still goes out, and then nothing of its recipients is kept', async () => {
    await give(shop, giver, gift);
    await lettersOf(shop, gift);
    const dated = giftFor({ DeliverOn: inDays(5) });
    await give(shop, giver, dated);
    await giftSession(shop, giver, giftFor());
    const headers = { authorization: `Bearer ${giver.query.accesstoken}` };
    const deleted = await shop.ask('deleteUser', '/user/delete', { query: { shelfid: store }, headers });
    expect(deleted.status).toBe(200);
    expect(await kept()).toMatchObject([nothing, { recipient_email: dated.RecipientEmail }]);
    await becomeDue();
    const [letter] = await lettersOf(shop, dated);
    expect(letter?.subject).toBe(`${store}: A friend has sent you a gift`);
    expect(await kept()).toEqual([nothing, nothing]);
    const friend = await customerOf(shop, store);
    expect((await redeemTitle(shop, friend, codeInLetter(letter))).status).toBe(200);
  });

  test('gifts that nobody has paid for are forgotten after a week', async () => {
    const { transId } = (await giftSession(shop, giver, gift)).value as { transId: string };
    const old = { created_at: new Date(Date.now() - 8 * 86_400_000) };
    await shop.db.updateTable('gifts').set(old).where('id', '=', gift.GiftId).execute();
    await cleanUp(shop.db);
    expect(await kept()).toHaveLength(1);
    await shop.db.updateTable('transactions').set({ status: 'cancelled', finished: true }).where('id', '=', transId).execute();
    await cleanUp(shop.db);
    expect(await kept()).toEqual([]);
    const paid = giftFor();
    await give(shop, giver, paid);
    await shop.db.updateTable('gifts').set(old).where('id', '=', paid.GiftId).execute();
    await cleanUp(shop.db);
    expect(await kept()).toHaveLength(1);
  });
});

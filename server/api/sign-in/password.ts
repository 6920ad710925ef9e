import { note } from '../../kernel/audit.ts';
import { callerLimits, countCall, countInTurn, limitOf, networkLimits, secondsOf } from '../../accounts/caller-limits.ts';
import { knownDevice } from '../../accounts/devices.ts';
import { emailKey } from '../../base/email.ts';
import { forgetOtherWays } from '../../accounts/end-access.ts';
import { lockCustomer } from '../../kernel/lock-customer.ts';
import { otherWays, removeWay } from '../../providers/remove-way.ts';
import { endSessions, findReset } from '../../accounts/tokens.ts';
import { isEmail } from '../../../machines/model/account/email.ts';
import { queueLetter } from '../../mail/queue.ts';
import { originOf } from '../../stores/origin.ts';
import { element, fields } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { callerOf } from '../calls/caller.ts';
import { deviceSecrets } from '../calls/device-cookie.ts';
import { done } from '../calls/done.ts';
import { checkNewPassword } from './new-password.ts';
import { DomainError, requireNoWait } from '../../kernel/errors.ts';
import { checkApplication } from './sign-in.ts';
import { shopNow } from '../../base/clock/time.ts';

/**
 * Counts an e-mail with a link, whether or not the account exists. Devices that the account knows
 * are counted apart, and like strangers once they have used that up.
 * @throws DomainError too_many_requests
 */
async function limitEmails(call: Call, email: string): Promise<void> {
  const { db } = call.services;
  const storeId = call.store.id;
  const owner = await knownDevice(db, storeId, deviceSecrets(call), { email });
  const turns = callerLimits('reset', await callerOf(call)).map((limits) => [...limits, limitOf('reset-account', email)]);
  if (owner) turns.unshift([limitOf('reset-own', owner.userId)]);
  requireNoWait(secondsOf(await countInTurn(db, storeId, turns)));
}

/**
 * Sends a link for a new password. Known and unknown addresses get the same answer, equally fast.
 */
export async function forgotPassword(call: Call<'forgotPassword'>): Answer<'forgotPassword'> {
  const { services, store, request, query, spoken } = call;
  checkApplication(call, query.appid);
  const email = query.email.trim();
  if (!isEmail(email)) throw new DomainError('bad_request', 'This isn’t a valid email address.', { code: 'bad_email' });
  const key = emailKey(email);
  await limitEmails(call, key);
  const origin = originOf(store, request, services.config);
  const letter = { kind: 'reset-password', email, language: spoken.language, origin, not_me: query.notme ?? false } as const;
  await queueLetter(services.db, { storeId: store.id, ...letter });
  return done();
}

/**
 * The link of a token. Bad ones are counted, so that a good one works in any network.
 * @throws DomainError too_many_requests after too many bad ones
 */
async function linkOf({ services, store, request }: Call, token: string) {
  const found = await findReset(services.db, store.id, token);
  if (!found) requireNoWait(secondsOf(await countCall(services.db, store.id, networkLimits('reset-link', request.ip))));
  return found;
}

/**
 * Whether a link for a new password is still good. Asking does not use it up: programs that read
 * e-mails open links, too.
 */
export async function validateResetToken(call: Call<'validateResetToken'>): Answer<'validateResetToken'> {
  const reset = await linkOf(call, call.path.token);
  return element('ResetToken', [fields({ Valid: reset !== undefined })]);
}

/**
 * The other ways into the account of a link that is still good. @throws DomainError conflict
 * link_over
 */
export async function resetWays(call: Call<'resetWays'>): Answer<'resetWays'> {
  const { services, store, path } = call;
  const reset = await linkOf(call, path.token);
  if (!reset) throw linkOver();
  const ways = await otherWays(services.db, { storeId: store.id, userId: reset.userId });
  // All from before the address was confirmed go in any case.
  return { ways: reset.isVerified ? ways : ways.map((way) => ({ ...way, always: true })) };
}

const linkOver = (): DomainError => new DomainError('conflict', 'This link has been used, or is too old.', { code: 'link_over' });

/**
 * Sets a new password, once for each link, and removes the ways into the account that were chosen.
 * All sessions and other links of the account end, and no device is known any more. The e-mailed
 * link proves the address: providers, passkeys and devices from before the first such proof are
 * removed.
 */
export async function resetPassword(call: Call<'resetPassword'>): Answer<'resetPassword'> {
  const { services, store, request, body, spoken } = call;
  // Not for a stranger's sake: a password is hashed for those who hold a link.
  const found = await linkOf(call, body.Token);
  if (!found) throw linkOver();
  await checkNewPassword(call, body.Password, found.email);
  const hash = await services.passwords.hash(body.Password);
  const origin = originOf(store, request, services.config);
  await services.db.transaction().execute(async (trx) => {
    await lockCustomer(trx, store.id, found.userId);
    // Used, or the account got another address, while the password was hashed.
    const current = await findReset(trx, store.id, body.Token);
    if (!current) throw linkOver();
    if (!current.isVerified) await forgetOtherWays(trx, store.id, found.userId);
    const asking = { storeId: store.id, userId: found.userId, address: request.ip };
    for (const { Kind, WayId } of body.RemovedWays ?? []) await removeWay(trx, asking, { kind: Kind, wayId: WayId });
    // The link that was used is one of them.
    await endSessions(trx, { storeId: store.id, userId: found.userId });
    await trx
      .updateTable('users')
      .set((eb) => ({ password_hash: hash, email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(shopNow())) }))
      .where('store_id', '=', store.id)
      .where('id', '=', found.userId)
      .execute();
    await note(trx, 'password_reset', { storeId: store.id, userId: found.userId, address: request.ip });
    const letter = { kind: 'password-changed', email: current.email, language: spoken.language, origin } as const;
    await queueLetter(trx, { storeId: store.id, ...letter });
  });
  return done();
}

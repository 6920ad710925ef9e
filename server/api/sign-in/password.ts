import { writeAuditLog } from '../../kernel/audit.ts';
import {
  callerLimits,
  countCall,
  countWithFallback,
  getLimit,
  networkLimits,
  getWaitSeconds,
} from '../../accounts/caller-limits.ts';
import { findKnownDevice } from '../../accounts/devices.ts';
import { emailKey } from '../../base/email.ts';
import { removeOtherSignInMethods } from '../../accounts/end-access.ts';
import { lockCustomer } from '../../kernel/lock-customer.ts';
import { listOtherSignInMethods, removeSignInMethod } from '../../providers/sign-in-methods.ts';
import { endSessions, findResetLink } from '../../accounts/tokens.ts';
import { isEmail } from '../../../machines/model/account/email.ts';
import { enqueueEmail } from '../../mail/queue.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import { element, fields } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { findCaller } from '../calls/caller.ts';
import { readDeviceSecrets } from '../calls/device-cookie.ts';
import { okResult } from '../calls/ok-result.ts';
import { checkNewPassword } from './new-password.ts';
import { DomainError, requireNoWait } from '../../kernel/errors.ts';
import { checkApplication } from './sign-in.ts';
import { shopNow } from '../../base/clock/time.ts';

/**
 * Counts a reset e-mail, whether or not the account exists. Known devices of the account are
 * counted separately, and like strangers once over their limit.
 * @throws DomainError too_many_requests
 */
async function limitEmails(call: Call, email: string): Promise<void> {
  const { db } = call.services;
  const storeId = call.store.id;
  const owner = await findKnownDevice(db, storeId, readDeviceSecrets(call), { email });
  const priorityGate = callerLimits('reset', await findCaller(call)).map((limits) => [
    ...limits,
    getLimit('reset-account', email),
  ]);
  if (owner) priorityGate.unshift([getLimit('reset-own', owner.userId)]);
  requireNoWait(getWaitSeconds(await countWithFallback(db, storeId, priorityGate)));
}

/**
 * Sends a password reset link. Known and unknown addresses get the same answer in the same time.
 */
export async function forgotPassword(call: Call<'forgotPassword'>): Answer<'forgotPassword'> {
  const { services, store, request, query, spoken } = call;
  checkApplication(call, query.appid);
  const email = query.email.trim();
  if (!isEmail(email)) throw new DomainError('bad_request', 'This isn’t a valid email address.', { code: 'bad_email' });
  const key = emailKey(email);
  await limitEmails(call, key);
  const origin = getStoreOrigin(store, request, services.config);
  const letter = { kind: 'reset-password', email, language: spoken.language, origin, not_me: query.notme ?? false } as const;
  await enqueueEmail(services.db, { storeId: store.id, ...letter });
  return okResult();
}

/**
 * The link of a token. Only invalid ones are counted, so that a valid one works from any network.
 * @throws DomainError too_many_requests after too many invalid ones
 */
async function requireResetLink({ services, store, request }: Call, token: string) {
  const found = await findResetLink(services.db, store.id, token);
  if (!found) requireNoWait(getWaitSeconds(await countCall(services.db, store.id, networkLimits('reset-link', request.ip))));
  return found;
}

/**
 * Whether a reset link is still valid. Checking does not use it up: programs that scan e-mails open
 * links, too.
 */
export async function validateResetToken(call: Call<'validateResetToken'>): Answer<'validateResetToken'> {
  const reset = await requireResetLink(call, call.path.token);
  return element('ResetToken', [fields({ Valid: reset !== undefined })]);
}

/** The other ways into the account of a valid reset link. @throws DomainError conflict link_over */
export async function resetWays(call: Call<'resetWays'>): Answer<'resetWays'> {
  const { services, store, path } = call;
  const reset = await requireResetLink(call, path.token);
  if (!reset) throw linkOverError();
  const ways = await listOtherSignInMethods(services.db, { storeId: store.id, userId: reset.userId });
  // Those from before the address was confirmed are removed in any case.
  return { ways: reset.isVerified ? ways : ways.map((way) => ({ ...way, always: true })) };
}

const linkOverError = (): DomainError =>
  new DomainError('conflict', 'This link has been used, or is too old.', { code: 'link_over' });

/**
 * Sets a new password, once for each link, and removes the chosen other ways into the account. All
 * sessions and other links of the account end, and all device secrets are cleared. The e-mailed
 * link proves the address: providers, passkeys and devices from before the first such proof are
 * removed.
 */
export async function resetPassword(call: Call<'resetPassword'>): Answer<'resetPassword'> {
  const { services, store, request, body, spoken } = call;
  // Checked first: a password is hashed only for holders of a valid link.
  const found = await requireResetLink(call, body.Token);
  if (!found) throw linkOverError();
  await checkNewPassword(call, body.Password, found.email);
  const hash = await services.passwords.hash(body.Password);
  const origin = getStoreOrigin(store, request, services.config);
  await services.db.transaction().execute(async (trx) => {
    await lockCustomer(trx, store.id, found.userId);
    // The link was used, or the account got another address, while the password was hashed.
    const current = await findResetLink(trx, store.id, body.Token);
    if (!current) throw linkOverError();
    if (!current.isVerified) await removeOtherSignInMethods(trx, store.id, found.userId);
    const asking = { storeId: store.id, userId: found.userId, address: request.ip };
    for (const { Kind, WayId } of body.RemovedWays ?? []) await removeSignInMethod(trx, asking, { kind: Kind, wayId: WayId });
    // This also ends the link that was used.
    await endSessions(trx, { storeId: store.id, userId: found.userId });
    await trx
      .updateTable('users')
      .set((eb) => ({ password_hash: hash, email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(shopNow())) }))
      .where('store_id', '=', store.id)
      .where('id', '=', found.userId)
      .execute();
    await writeAuditLog(trx, 'password_reset', { storeId: store.id, userId: found.userId, address: request.ip });
    const letter = { kind: 'password-changed', email: current.email, language: spoken.language, origin } as const;
    await enqueueEmail(trx, { storeId: store.id, ...letter });
  });
  return okResult();
}

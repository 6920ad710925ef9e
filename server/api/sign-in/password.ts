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
import { removeOtherSignInMethods } from '../../accounts/revoke-access.ts';
import { lockCustomer } from '../../kernel/lock-customer.ts';
import { listOtherSignInMethods, removeSignInMethod } from '../../providers/sign-in-methods.ts';
import { endSessions, findResetLink } from '../../accounts/tokens.ts';
import { isEmail } from '../../../machines/model/account/email.ts';
import { enqueueEmail } from '../../mail/queue.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import { renderElement, renderFields } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { findCaller } from '../calls/caller.ts';
import { readDeviceSecrets } from '../calls/device-cookie.ts';
import { okResult } from '../calls/ok-result.ts';
import { checkNewPassword } from './new-password.ts';
import { DomainError, requireNoWait } from '../../kernel/errors.ts';
import { checkApplication } from './sign-in.ts';
import { shopNow } from '../../base/clock/time.ts';

/**
 * Counts a reset e-mail, whether or not the account exists. Requests from known devices of the
 * account have a separate limit; once it is exceeded, the strangers' limits apply.
 * @throws DomainError too_many_requests
 */
async function limitEmails(call: Call, email: string): Promise<void> {
  const { db } = call.services;
  const storeId = call.store.id;
  const owner = await findKnownDevice(db, storeId, readDeviceSecrets(call), { email });
  const alternatives = callerLimits('reset', await findCaller(call)).map((limits) => [
    ...limits,
    getLimit('reset-account', email),
  ]);
  if (owner) alternatives.unshift([getLimit('reset-own', owner.userId)]);
  requireNoWait(getWaitSeconds(await countWithFallback(db, storeId, alternatives)));
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
  const notification = {
    kind: 'reset-password',
    email,
    language: spoken.language,
    origin,
    not_me: query.notme ?? false,
  } as const;
  await enqueueEmail(services.db, { storeId: store.id, ...notification });
  return okResult();
}

/**
 * Finds the reset link of a token; undefined for an invalid token. Only invalid tokens are counted,
 * so that a valid one works from any network.
 * @throws DomainError too_many_requests after too many invalid tokens
 */
async function findResetLinkWithLimit({ services, store, request }: Call, token: string) {
  const resetLink = await findResetLink(services.db, store.id, token);
  if (!resetLink) requireNoWait(getWaitSeconds(await countCall(services.db, store.id, networkLimits('reset-link', request.ip))));
  return resetLink;
}

/**
 * Returns whether a reset link is still valid. The check does not consume the link: programs that
 * scan e-mails open links, too.
 */
export async function validateResetToken(call: Call<'validateResetToken'>): Answer<'validateResetToken'> {
  const resetLink = await findResetLinkWithLimit(call, call.path.token);
  return renderElement('ResetToken', [renderFields({ Valid: resetLink !== undefined })]);
}

/**
 * Returns the other sign-in methods of a reset link's account.
 * @throws DomainError conflict link_over; too_many_requests after too many invalid tokens
 */
export async function resetWays(call: Call<'resetWays'>): Answer<'resetWays'> {
  const { services, store, path } = call;
  const resetLink = await findResetLinkWithLimit(call, path.token);
  if (!resetLink) throw linkOverError();
  const methods = await listOtherSignInMethods(services.db, { storeId: store.id, userId: resetLink.userId });
  // If the address was never verified, all of them are removed in any case.
  return { ways: resetLink.isVerified ? methods : methods.map((method) => ({ ...method, always: true })) };
}

const linkOverError = (): DomainError =>
  new DomainError('conflict', 'This link has been used, or is too old.', { code: 'link_over' });

/**
 * Sets a new password, once for each link, and removes the chosen other sign-in methods. All
 * sessions and other links of the account end, and all device secrets are cleared. The e-mailed
 * link verifies the address: providers, passkeys and devices from before the first verification are
 * removed.
 */
export async function resetPassword(call: Call<'resetPassword'>): Answer<'resetPassword'> {
  const { services, store, request, body, spoken } = call;
  // The link is checked first: a password is hashed only for holders of a valid link.
  const resetLink = await findResetLinkWithLimit(call, body.Token);
  if (!resetLink) throw linkOverError();
  await checkNewPassword(call, body.Password, resetLink.email);
  const hash = await services.passwords.hash(body.Password);
  const origin = getStoreOrigin(store, request, services.config);
  await services.db.transaction().execute(async (trx) => {
    await lockCustomer(trx, store.id, resetLink.userId);
    // The link may have been used, or the address changed, while the password was hashed.
    const currentLink = await findResetLink(trx, store.id, body.Token);
    if (!currentLink) throw linkOverError();
    if (!currentLink.isVerified) await removeOtherSignInMethods(trx, store.id, resetLink.userId);
    const owner = { storeId: store.id, userId: resetLink.userId, address: request.ip };
    for (const { Kind, WayId } of body.RemovedWays ?? []) await removeSignInMethod(trx, owner, { kind: Kind, wayId: WayId });
    // This also ends the link that was used.
    await endSessions(trx, { storeId: store.id, userId: resetLink.userId });
    await trx
      .updateTable('users')
      .set((eb) => ({ password_hash: hash, email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(shopNow())) }))
      .where('store_id', '=', store.id)
      .where('id', '=', resetLink.userId)
      .execute();
    await writeAuditLog(trx, 'password_reset', { storeId: store.id, userId: resetLink.userId, address: request.ip });
    const notification = { kind: 'password-changed', email: currentLink.email, language: spoken.language, origin } as const;
    await enqueueEmail(trx, { storeId: store.id, ...notification });
  });
  return okResult();
}

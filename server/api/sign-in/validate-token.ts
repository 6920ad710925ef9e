import type { Answer, CustomerCall } from '../calls/call.ts';

/** Reaching it means that the token is live. */
export async function validateToken({ customer }: CustomerCall<'validateToken'>): Answer<'validateToken'> {
  return { valid: true, userId: customer.id, emailId: customer.email };
}

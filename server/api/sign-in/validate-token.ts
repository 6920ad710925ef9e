import type { Answer, CustomerCall } from '../calls/call.ts';

/** Returns the customer of a valid token; with an invalid one, the handler does not run. */
export async function validateToken({ customer }: CustomerCall<'validateToken'>): Answer<'validateToken'> {
  return { valid: true, userId: customer.id, emailId: customer.email };
}

import type { Answer, CustomerCall } from '../calls/call.ts';

/** The handler only runs with a live token. */
export async function validateToken({ customer }: CustomerCall<'validateToken'>): Answer<'validateToken'> {
  return { valid: true, userId: customer.id, emailId: customer.email };
}

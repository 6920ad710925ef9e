import { Refusal } from './refusal.ts';

const SHORTEST = 8;
const LONGEST = 200;

/** @throws Refusal 400 `weak_password` for a password that is too short, or too long to be hashed for anybody who asks */
export function requireLength(password: string): void {
  if (password.length < SHORTEST || password.length > LONGEST)
    throw new Refusal(400, `A password must have ${SHORTEST} to ${LONGEST} characters.`, { code: 'weak_password' });
}

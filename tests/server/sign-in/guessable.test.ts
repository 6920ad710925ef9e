import { describe, expect, test } from 'vitest';
import { findGuessableReason } from '../../../server/accounts/guessable-passwords.ts';
import { loadOnce } from '../../../server/base/load-once.ts';

const account = { email: 'Ann.Marlow7@example.org', shopNames: ['Harbour Books', 'Livres du Port'] };

describe('an easily guessed password is refused', () => {
  test.each([
    ['00000000', 'simple_password'],
    ['aaaaaaaa', 'simple_password'],
    ['12341234', 'simple_password'],
    ['abcabcabc', 'simple_password'],
    ['        ', 'simple_password'],
    ['87654321', 'common_password'],
    ['abcdefgh', 'simple_password'],
    ['zyxwvuts', 'simple_password'],
    ['poiuytrewq', 'common_password'],
    ['qwertzuiop', 'simple_password'],
    ['azertyuiop', 'common_password'],
    ['24121985', 'common_password'],
    ['contraseña', 'common_password'],
    ['Passwort', 'common_password'],
    ['motdepasse1', 'common_password'],
    ['P@ssw0rd', 'common_password'],
    ['Password123!', 'common_password'],
    ['password 1', 'common_password'],
    ['2024!Password!', 'common_password'],
    ['password2024password2024', 'common_password'],
    ['2024Harbour', 'password_is_shop'],
    ['harbourharbour', 'password_is_shop'],
    ['harbour-2-harbour', 'password_is_shop'],
    ['42 Harbour Books!', 'password_is_shop'],
    ['LivresDuPort#1', 'password_is_shop'],
    ['harbour x', 'password_is_shop'],
    ['2026AnnMarlow', 'password_is_email'],
    ['marlowmarlow', 'password_is_email'],
    ['ann.marlow7@example.org', 'password_is_email'],
    ['ann.marlow77', 'password_is_email'],
    ['marlow7x', 'password_is_email'],
  ])('the password “%s” is refused: %s', async (password, reason) => {
    expect(await findGuessableReason(password, account)).toBe(reason);
  });
});

describe('a good password is accepted', () => {
  test.each([
    'a password for the harbour',
    'quay lamps at night',
    'correct horse battery staple',
    'purple monkey dish',
    'mi gato duerme mucho',
    'la contraseña de mi abuela',
    'le chat dort au soleil',
    'le mot de passe de Marie',
    'il gatto dorme sempre',
    'una password per la nonna',
    'der Hund schläft im Garten',
    'mein Passwort ist geheim',
    '我的猫在窗边睡觉',
    'x7Kp!2mQ',
    'hG5k2p9x',
    '73920184',
    'tulip8river',
    'Zugspitze 2962',
  ])('the password “%s” is accepted', async (password) => {
    expect(await findGuessableReason(password, account)).toBeNull();
  });

  test('a good password is accepted for an account and a shop with short names', async () => {
    expect(await findGuessableReason('quay lamps', { email: 'a@b.example', shopNames: ['A', '书'] })).toBeNull();
    expect(await findGuessableReason('quay lamps', { email: '', shopNames: [''] })).toBeNull();
  });
});

test('passwords of 200 characters are checked within a second each', async () => {
  const start = performance.now();
  for (const block of ['1', '12', 'a1!', '4@8({[</3601!|$57+%2', '1a2b3c4d5e6f7g8h9'])
    await findGuessableReason(block.repeat(200).slice(0, 200), account);
  expect(performance.now() - start).toBeLessThan(5_000);
});

test('a list that failed to load is loaded by the next call, and then cached', async () => {
  const outcomes = [Promise.reject(new Error('no file')), Promise.resolve('the list'), Promise.resolve('another list')];
  const load = loadOnce(() => outcomes.shift() as Promise<string>);
  await expect(load()).rejects.toThrow('no file');
  expect([await load(), await load()]).toEqual(['the list', 'the list']);
});

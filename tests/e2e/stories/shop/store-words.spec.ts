import type { Page } from '@playwright/test';
import { openWithFrame } from '../../../../tools/browser/frame.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/store.ts';

const chooseLanguage = async (page: Page, language: string): Promise<void> => {
  await new ShopPage(page).control('language.chosen').selectOption(language);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
};

const frenchTexts = [/Quand le phare de Skarn Head/, /Policier/, /S’abonner/, /Gardez la lampe allumée/];
const englishTexts = [/When the lamp on Skarn Head/, /Mystery/, /Subscribe/, /Keep the lamp lit/];

/** Returns the patterns that the visible text of the page matches, including the sidebar. */
const findTexts = async (page: Page, patterns: RegExp[]): Promise<string[]> => {
  const text = await page.locator('body').innerText();
  return patterns.filter((pattern) => pattern.test(text)).map(String);
};

test('the store’s own texts are in the customer’s language, and follow a change of it without a reload', async ({ page }) => {
  await openWithFrame(page, '/id:1001?lang=fr');
  const main = page.getByRole('main');
  await expect(main.getByText('Quand le phare de Skarn Head')).toBeVisible();
  await expect.poll(() => findTexts(page, frenchTexts)).toEqual(frenchTexts.map(String));
  expect(await findTexts(page, englishTexts)).toEqual([]);
  await expect(page.getByRole('link', { name: 'Romans' }).first()).toBeVisible();

  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await chooseLanguage(page, 'en');
  await expect(main.getByText('When the lamp on Skarn Head')).toBeVisible();
  await expect.poll(() => findTexts(page, englishTexts)).toEqual(englishTexts.map(String));
  expect(await findTexts(page, frenchTexts)).toEqual([]);

  await chooseLanguage(page, 'zh');
  await expect(main.getByText('斯卡恩角的灯塔')).toBeVisible();
  expect(await findTexts(page, [...frenchTexts, ...englishTexts])).toEqual([]);
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
});

test('a page written by the store, a list’s name and a category’s list follow the language', async ({ page }) => {
  await openWithFrame(page, '/pages/public/reading-circle');
  await expect(page.getByRole('heading', { level: 1, name: 'The Reading Circle' })).toBeVisible();
  await chooseLanguage(page, 'fr');
  await expect(page.getByRole('heading', { level: 1, name: 'Le cercle de lecture' })).toBeVisible();
  await expect(page.getByText('Nous nous retrouvons le premier jeudi du mois')).toBeVisible();

  await openWithFrame(page, '/titleset/titles/winter-evenings');
  await expect(page.getByRole('heading', { level: 1, name: 'Pour les soirées d’hiver' })).toBeVisible();
  await chooseLanguage(page, 'it');
  await expect(page.getByRole('heading', { level: 1, name: 'Per le sere d’inverno' })).toBeVisible();

  await openWithFrame(page, '/all/novels/novels');
  await expect(page.getByRole('heading', { level: 1, name: 'Romanzi' })).toBeVisible();
  await chooseLanguage(page, 'es');
  await expect(page.getByRole('heading', { level: 1, name: 'Novelas' })).toBeVisible();
});

test('an earlier choice of language applies to the store’s texts, over the browser’s preference', async ({ page }) => {
  await openWithFrame(page, '/');
  await chooseLanguage(page, 'zh');
  await page.goto('/about');
  await expect(page.getByRole('heading', { name: '关于 Harbour Books' })).toBeVisible();
  await expect(page.getByRole('link', { name: '长篇小说' }).first()).toBeVisible();
});

test('a customer finds a title by words of its description in their language', async ({ page }) => {
  await page.goto('/all?search=canal+vent&lang=fr');
  await expect(page.getByRole('link', { name: /La Maison aux quatre fenêtres/ }).first()).toBeVisible();
});

test('a store text without a translation is marked with its own language', async ({ page, setProperties }) => {
  await setProperties({ About: { en: '<h2>About us</h2><p>A small shop.</p>', fr: '<h2>Qui sommes-nous</h2><p>Petite.</p>' } });
  await page.goto('/about?lang=it');
  await expect(page.locator('[lang="en"]').getByRole('heading', { name: 'About us' })).toBeVisible();
  await page.goto('/about?lang=fr');
  await expect(page.getByRole('heading', { name: 'Qui sommes-nous' })).toBeVisible();
});

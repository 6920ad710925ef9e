import { expect, type Page } from '@playwright/test';
import type { FramePart } from '../../machines/flows/flow-definition.ts';

/** Where each part of the frame is to be seen on a page. */
const places: Record<FramePart, (page: Page) => ReturnType<Page['locator']>> = {
  // Not by its role: the viewer's own bar is a header within the viewer's landmark.
  topBar: (page) => page.locator('header'),
  sidebar: (page) => page.getByRole('complementary').getByRole('navigation', { name: 'Categories' }),
  subscribe: (page) => page.locator('a[href="/subscription"]').filter({ hasText: 'Subscribe' }),
  search: (page) => page.getByRole('search').getByRole('combobox', { name: 'Search the shop' }),
  library: (page) => page.getByRole('banner').getByRole('link', { name: 'My Library' }),
  home: (page) => page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }),
  signIn: (page) =>
    page
      .getByRole('banner')
      .getByRole('link', { name: 'Sign in' })
      .or(page.getByRole('banner').getByRole('button', { name: 'Account' })),
  explore: (page) => page.getByRole('banner').locator('nav a[href="/all"]'),
  footer: (page) => page.getByRole('contentinfo').getByRole('combobox', { name: 'Language' }),
  topFilter: (page) => page.getByRole('navigation', { name: 'Filter', exact: true }),
};

export const frameParts = Object.keys(places) as FramePart[];

/** The frame comes at a reader's first sign of life, else when the screen has stood for a while: this is such a sign. */
export const wakeFrame = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading', { level: 1 }).first()).toHaveText(/\S/);
  await page.keyboard.press('Shift');
};

/** The choices of one part of the look: in the account menu, a visitor's menu of the look, or the account's page. */
export const lookChoice = (page: Page, part: 'topBar' | 'sidebar' | 'background') => page.locator(`select[name="${part}"]`);

/** Chooses in the menu of a wide window's top bar, which it opens and closes. */
export const chooseLook = async (page: Page, part: 'topBar' | 'sidebar' | 'background', value: string): Promise<void> => {
  // In any language: one button of the bar opens a menu, the customer's account or the look.
  await page.getByRole('banner').locator('button[popovertarget]').filter({ visible: true }).click();
  await lookChoice(page, part).filter({ visible: true }).first().selectOption(value);
  await page.keyboard.press('Escape');
};

/** Opens an address, with the frame around its screen. */
export const openWithFrame = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await wakeFrame(page);
};

/** Expects that the loaded page shows these parts of the frame, and none of the others. */
export const expectFrame = async (page: Page, shown: readonly FramePart[]): Promise<void> => {
  for (const part of frameParts) {
    // Depending on the window's width, a part is in one of several places.
    const place = places[part](page).filter({ visible: true }).first();
    if (shown.includes(part)) await expect(place, `${part} is shown`).toBeVisible();
    else await expect(place, `${part} is hidden`).toBeHidden();
  }
};

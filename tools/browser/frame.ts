import { expect, type Page } from '@playwright/test';
import type { FramePart } from '../../machines/flows/flow-definition.ts';

/** Locators of the frame's parts on a page. */
const partLocators: Record<FramePart, (page: Page) => ReturnType<Page['locator']>> = {
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

export const frameParts = Object.keys(partLocators) as FramePart[];

/**
 * Makes the frame load by pressing a key on the loaded screen. Otherwise the frame loads at the
 * first user activity, such as a scroll, or when the screen has been shown for a while.
 */
export const wakeFrame = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading', { level: 1 }).first()).toHaveText(/\S/);
  await page.keyboard.press('Shift');
};

/**
 * The select of one part of the look: in the account menu, a visitor's look menu, or the account
 * page.
 */
export const getLookSelect = (page: Page, part: 'topBar' | 'sidebar' | 'background') => page.locator(`select[name="${part}"]`);

/** Opens the menu in a wide window's top bar, selects a value and closes it. */
export const chooseLook = async (page: Page, part: 'topBar' | 'sidebar' | 'background', value: string): Promise<void> => {
  // Works in any language: one button of the bar opens a menu, the customer's account or the look.
  await page.getByRole('banner').locator('button[popovertarget]').filter({ visible: true }).click();
  await getLookSelect(page, part).filter({ visible: true }).first().selectOption(value);
  await page.keyboard.press('Escape');
};

/** Opens a path and makes the frame around its screen load. */
export const openWithFrame = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await wakeFrame(page);
};

/** Expects that the loaded page shows exactly these parts of the frame. */
export const expectFrame = async (page: Page, shownParts: readonly FramePart[]): Promise<void> => {
  for (const part of frameParts) {
    // The visible element of a part depends on the window's width.
    const locator = partLocators[part](page).filter({ visible: true }).first();
    if (shownParts.includes(part)) await expect(locator, `${part} is shown`).toBeVisible();
    else await expect(locator, `${part} is hidden`).toBeHidden();
  }
};

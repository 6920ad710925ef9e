import { expect } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import type { World } from './stage.ts';

/** The value that an event carries, when it is one plain value: what is chosen, typed or pressed. */
const valueOf = (event: AnyEventObject): string | null => {
  const values = Object.entries(event).flatMap(([name, value]) =>
    name !== 'type' && ['string', 'number'].includes(typeof value) ? [value as string | number] : [],
  );
  return values.length === 1 ? String(values[0]) : null;
};

/**
 * Does what sends an event: presses the element whose `data-event` is its name (of several the one with the event's value
 * as `data-value`), chooses its value in a list, or fills the one field of a form and submits it.
 */
export const press = async ({ page, flow }: World, event: AnyEventObject): Promise<void> => {
  const value = valueOf(event);
  const named = `[data-event="${event.type}"]`;
  await expect(page.locator(named).first(), `something sends ${event.type}`).toBeAttached();
  const place = (await flow.locator(named).count()) > 0 ? flow : page;
  const valued = place.locator(`${named}[data-value="${value ?? ''}"]`);
  const element = (value !== null && (await valued.count()) > 0 ? valued : place.locator(named)).first();
  switch (await element.evaluate(({ tagName }) => tagName)) {
    case 'SELECT':
      await element.selectOption(value);
      break;
    case 'FORM': {
      const field = element.locator('input:visible').first();
      await field.fill(value ?? '');
      await field.press('Enter');
      break;
    }
    default:
      await element.click();
  }
};

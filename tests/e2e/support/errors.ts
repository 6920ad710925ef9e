import type { Page } from '@playwright/test'

/** The errors of one page, from its console and from its scripts. */
export type Errors = {
  /** From now on, errors that match are part of the story. */
  allow(pattern: RegExp): void
  /** Errors that nothing allowed. */
  left(): string[]
}

/** Listens to a page until it closes. */
export function watchErrors(page: Page): Errors {
  const allowed: RegExp[] = []
  const seen: string[] = []
  const note = (text: string): void => {
    seen.push(text)
  }
  page.on('pageerror', (error) => note(`${error.name}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') note(`${message.text()} (${message.location().url})`)
  })
  return {
    allow: (pattern) => allowed.push(pattern),
    left: () => seen.filter((text) => !allowed.some((pattern) => pattern.test(text))),
  }
}

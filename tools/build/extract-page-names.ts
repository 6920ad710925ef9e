import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import type { ExtractedMessage, ExtractorType } from '@lingui/conf';
import { pageNameContext } from '../../machines/model/store/page-name-context.ts';

const toMessage = (name: string, filename: string): ExtractedMessage => ({
  id: generateMessageId(name, pageNameContext) as string,
  message: name,
  context: pageNameContext,
  origin: [filename, 1],
});

/**
 * Extracts the names of pages from the definitions of flows, which are pure data and may import no
 * macro.
 */
export const pageNamesExtractor: ExtractorType = {
  match: (filename) => /\/machines\/flows\/[^/]+\.ts$/.test(filename),
  async extract(filename, _code, onMessageExtracted) {
    const definitions = (await import(filename)) as Record<string, { routes: { name?: string }[] }>;
    for (const { routes } of Object.values(definitions))
      for (const { name } of routes) if (name !== undefined) onMessageExtracted(toMessage(name, filename));
  },
};

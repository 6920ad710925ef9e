import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import type { ExtractedMessage, ExtractorType } from '@lingui/conf';
import { pageNameContext } from '../../machines/model/store/page-name-context.ts';

const messageOf = (name: string, filename: string): ExtractedMessage => ({
  id: generateMessageId(name, pageNameContext) as string,
  message: name,
  context: pageNameContext,
  origin: [filename, 1],
});

/** The names of pages in the definitions of flows, which may import no macro: they are data. */
export const pageNamesExtractor: ExtractorType = {
  match: (filename) => /\/machines\/flows\/[^/]+\.ts$/.test(filename),
  async extract(filename, _code, onMessageExtracted) {
    const exported = (await import(filename)) as Record<string, { routes: { name?: string }[] }>;
    for (const { routes } of Object.values(exported))
      for (const { name } of routes) if (name !== undefined) onMessageExtracted(messageOf(name, filename));
  },
};

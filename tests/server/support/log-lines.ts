/** Shapes of personal data and secrets that no log line may contain. */
const personalDataPatterns: readonly [dataKind: string, pattern: RegExp][] = [
  ['an e-mail address', /[\w.+-]+@[\w-]+\.[\w.-]+/],
  ['a telephone number', /\+\d{8,15}\b/],
  ['a card number', /(?<![\w-])(?:\d{4}[ -]?){3}\d{4}(?![\w-])/],
  ['a password', /correct horse|battery staple/],
  ['an access token', /accesstoken["=:]|"authorization"|\bBasic [\w+/=]{8}|\bBearer [\w.-]{8}/i],
  ['a gateway key', /\b(?:sk|whsec|rzp)_(?:test|live)_\w{6}/],
  ['a query parameter of a URL', /[?&]\w+=/],
];

/** Log lines of one shop, each a JSON text. */
export class LogLines {
  readonly lines: string[] = [];

  write(line: string): void {
    this.lines.push(line);
  }

  /** The events with this name, or all events, with their fields. */
  events(name?: string): Record<string, unknown>[] {
    const events = this.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    return name === undefined ? events : events.filter(({ event }) => event === name);
  }

  /** @returns a message for each line with personal data or a secret */
  findLeaks(): string[] {
    return this.lines.flatMap((line) =>
      personalDataPatterns
        .filter(([, pattern]) => pattern.test(line))
        .map(([dataKind]) => `A log line contains ${dataKind}: ${line.trim()}`),
    );
  }
}

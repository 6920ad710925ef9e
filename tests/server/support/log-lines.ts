/** Shapes of personal data and secrets that no log line may contain. */
const patterns: readonly [what: string, pattern: RegExp][] = [
  ['an e-mail address', /[\w.+-]+@[\w-]+\.[\w.-]+/],
  ['a telephone number', /\+\d{8,15}\b/],
  ['the number of a card', /(?<![\w-])(?:\d{4}[ -]?){3}\d{4}(?![\w-])/],
  ['a password', /correct horse|battery staple/],
  ['an access token', /accesstoken["=:]|"authorization"|\bBasic [\w+/=]{8}|\bBearer [\w.-]{8}/i],
  ['a key of a gateway', /\b(?:sk|whsec|rzp)_(?:test|live)_\w{6}/],
  ['a parameter of an address', /[?&]\w+=/],
];

/** Log lines of one shop, each a JSON text. */
export class LogLines {
  readonly lines: string[] = [];

  write(line: string): void {
    this.lines.push(line);
  }

  /** Events by name, with their fields. */
  events(name?: string): Record<string, unknown>[] {
    const all = this.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    return name === undefined ? all : all.filter(({ event }) => event === name);
  }

  /** @returns a complaint for each line with personal data or a secret */
  faults(): string[] {
    return this.lines.flatMap((line) =>
      patterns.filter(([, pattern]) => pattern.test(line)).map(([what]) => `A log line contains ${what}: ${line.trim()}`),
    );
  }
}

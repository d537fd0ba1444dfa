/** Netlify's matcher of `_redirects`, compiled to WebAssembly; the package has no types. */
declare module 'netlify-redirector' {
  namespace redirector {
    interface MatchedRequest {
      scheme: string;
      host: string;
      path: string;
      /** Without `?`. */
      query: string;
      getHeader(name: string): string;
      /** Empty for a cookie that there is not. */
      getCookie(name: string): string;
    }
    interface Match {
      from: string;
      to: string;
      status: number;
      force: boolean;
    }
    interface Matcher {
      match(request: MatchedRequest): Match | null;
    }
  }
  const redirector: { parsePlain(rules: string, options: object): Promise<redirector.Matcher> };
  export default redirector;
}

"""No cookies: no service may recognize a person from one request to the next."""

from http.cookiejar import CookieJar, DefaultCookiePolicy


def no_cookies() -> CookieJar:
    """Return a jar that keeps and sends no cookies, for every HTTP client that `spar` opens."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))
